#include "store/schema.h"

#include <array>

namespace bisect_run::store {
namespace {

// Times named *_at of a boot and the journal are on the run's clock; those of a run are seconds
// since the epoch. Columns ending in _json hold what model/ calls by the same name.
constexpr const char* kFirst = R"sql(
CREATE TABLE run (
  number          INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  kind            TEXT NOT NULL,
  status          TEXT NOT NULL,
  message         TEXT NOT NULL DEFAULT '',
  started_at      REAL NOT NULL,
  ended_at        REAL,
  elapsed         REAL NOT NULL DEFAULT 0,
  request_json    TEXT NOT NULL,
  scenario_text   TEXT NOT NULL,
  provenance_json TEXT NOT NULL,
  answer_json     TEXT
) STRICT;

CREATE TABLE kernel (
  id        INTEGER PRIMARY KEY,
  run       INTEGER NOT NULL REFERENCES run(number),
  key       TEXT NOT NULL,
  oid       TEXT NOT NULL,
  variant   TEXT NOT NULL,
  spec_json TEXT NOT NULL,
  UNIQUE (run, key)
) STRICT;

CREATE TABLE build (
  id            INTEGER PRIMARY KEY,
  run           INTEGER NOT NULL REFERENCES run(number),
  kernel        INTEGER NOT NULL REFERENCES kernel(id),
  recorded_at   REAL NOT NULL,
  build_key     TEXT,
  signature     TEXT,
  build_id      TEXT,
  release       TEXT,
  config_digest TEXT,
  compiler      TEXT,
  bzimage       TEXT,
  config        TEXT,
  boot_args_json TEXT,
  offload       TEXT,
  cached        INTEGER,
  build_seconds REAL,
  error_kind    TEXT,
  error_message TEXT,
  error_detail  TEXT,
  CHECK ((build_key IS NULL) <> (error_kind IS NULL))
) STRICT;
CREATE INDEX build_of_run ON build (run);

CREATE TABLE ledger (
  build    INTEGER NOT NULL REFERENCES build(id),
  position INTEGER NOT NULL,
  symbol   TEXT NOT NULL,
  asked    TEXT NOT NULL,
  got      TEXT NOT NULL,
  fate     TEXT NOT NULL,
  must     INTEGER NOT NULL,
  PRIMARY KEY (build, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE boot (
  id                  INTEGER PRIMARY KEY,
  run                 INTEGER NOT NULL REFERENCES run(number),
  kernel              INTEGER NOT NULL REFERENCES kernel(id),
  signature           TEXT NOT NULL,
  scenario_digest     TEXT NOT NULL,
  recorded_at         REAL NOT NULL,
  ended_at            REAL,
  domain              TEXT NOT NULL DEFAULT '',
  cpus                INTEGER NOT NULL,
  memory_mib          INTEGER NOT NULL,
  accelerator         TEXT NOT NULL,
  clock               TEXT NOT NULL,
  cmdline             TEXT NOT NULL DEFAULT '',
  outcome             TEXT NOT NULL,
  reason              TEXT NOT NULL DEFAULT '',
  console_tail        TEXT NOT NULL DEFAULT '',
  wall_seconds        REAL NOT NULL DEFAULT 0,
  destroy_seconds     REAL NOT NULL DEFAULT 0,
  guest_release       TEXT,
  guest_build_id      TEXT,
  guest_config_digest TEXT,
  guest_cmdline       TEXT,
  guest_agent_digest  TEXT,
  guest_cpus          INTEGER,
  guest_clocksource   TEXT,
  guest_clock_ns      INTEGER,
  guest_offloaded     TEXT,
  guest_boot_seconds  REAL
) STRICT;
CREATE INDEX boot_of_run ON boot (run);

CREATE TABLE metric (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  unit TEXT NOT NULL,
  UNIQUE (name, unit)
) STRICT;

CREATE TABLE sample (
  boot       INTEGER NOT NULL REFERENCES boot(id),
  metric     INTEGER NOT NULL REFERENCES metric(id),
  mark       INTEGER NOT NULL,
  repetition INTEGER NOT NULL,
  chunk      INTEGER NOT NULL,
  items      INTEGER NOT NULL,
  wall_ns    INTEGER NOT NULL,
  user_ns    INTEGER,
  system_ns  INTEGER,
  voluntary_switches INTEGER,
  tsc_cycles INTEGER,
  value      REAL,
  PRIMARY KEY (boot, metric, mark, repetition, chunk)
) STRICT, WITHOUT ROWID;

CREATE TABLE probe (
  run      INTEGER NOT NULL REFERENCES run(number),
  position INTEGER NOT NULL,
  oid      TEXT NOT NULL,
  subject  TEXT NOT NULL,
  outcome  TEXT NOT NULL,
  reason   TEXT NOT NULL,
  boots    INTEGER NOT NULL,
  value    REAL,
  PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE journal (
  id     INTEGER PRIMARY KEY,
  run    INTEGER NOT NULL REFERENCES run(number),
  at     REAL NOT NULL,
  recorded_at REAL NOT NULL,
  stage  TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX journal_of_run ON journal (run);
)sql";

// What the host did beside each boot (model/host_conditions.h).
constexpr const char* kHostConditions = R"sql(
ALTER TABLE boot ADD COLUMN host_load REAL;
ALTER TABLE boot ADD COLUMN host_others REAL;
ALTER TABLE boot ADD COLUMN host_steal REAL;
ALTER TABLE boot ADD COLUMN host_mhz REAL;
ALTER TABLE boot ADD COLUMN host_suspended REAL;
)sql";

/// What remedies of kernels.yaml did to a build.
constexpr const char* kRemedies = R"sql(
CREATE TABLE remedy (
  build    INTEGER NOT NULL REFERENCES build(id),
  position INTEGER NOT NULL,
  name     TEXT NOT NULL,
  did      TEXT NOT NULL,
  PRIMARY KEY (build, position)
) STRICT, WITHOUT ROWID;
)sql";

constexpr std::array kMigrations{kFirst, kHostConditions, kRemedies};

}  // namespace

std::span<const char* const> migrations() {
  return kMigrations;
}

}  // namespace bisect_run::store
