#include <SQLiteCpp/Database.h>
#include <fmt/format.h>

#include <cmath>

#include "model/try.h"
#include "store/impl.h"
#include "store/json.h"
#include "store/sqlite_error.h"

namespace bisect_run::store {
namespace {

void insert_image(SQLite::Database& database, std::int64_t run, std::int64_t kernel,
                  const Image& image) {
  Query(database,
        "INSERT INTO build (run, kernel, recorded_at, build_key, signature, build_id, release,"
        " config_digest, compiler, bzimage, config, boot_args_json, offload, cached, build_seconds)"
        " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        run, kernel, wall_clock(), image.build_key, image.signature, image.build_id, image.release,
        image.config_digest, image.compiler, image.bzimage.string(), image.config.string(),
        to_json(image.boot_args), image.offload, image.cached, image.build_seconds)
      .run();
  const auto build = last_insert_id(database);
  Query line(database,
             "INSERT INTO ledger (build, position, symbol, asked, got, fate, must) VALUES "
             "(?,?,?,?,?,?,?)");
  std::int64_t position = 0;
  for (const auto& entry : image.ledger)
    line.run_with(build, position++, entry.symbol, entry.asked, entry.got, to_string(entry.fate),
                  entry.must);
  Query remedy(database, "INSERT INTO remedy (build, position, name, did) VALUES (?,?,?,?)");
  position = 0;
  for (const auto& entry : image.remedies)
    remedy.run_with(build, position++, entry.name, entry.did);
}

void insert_failure(SQLite::Database& database, std::int64_t run, std::int64_t kernel,
                    const Error& error) {
  Query(database,
        "INSERT INTO build (run, kernel, recorded_at, error_kind, error_message, error_detail)"
        " VALUES (?,?,?,?,?,?)",
        run, kernel, wall_clock(), to_string(error.kind), error.message, error.detail)
      .run();
}

void update_handshake(SQLite::Database& database, std::int64_t boot, const Handshake& hello) {
  Query(database,
        "UPDATE boot SET guest_release = ?, guest_build_id = ?, guest_config_digest = ?,"
        " guest_cmdline = ?, guest_agent_digest = ?, guest_cpus = ?, guest_clocksource = ?,"
        " guest_clock_ns = ?, guest_offloaded = ?, guest_boot_seconds = ? WHERE id = ?",
        hello.release, hello.build_id, hello.config_digest, hello.cmdline, hello.agent_digest,
        hello.cpus, hello.clocksource, hello.clock_resolution_ns, hello.offloaded,
        hello.boot_seconds, boot)
      .run();
}

void update_host(SQLite::Database& database, std::int64_t boot, const HostConditions& host) {
  Query(database,
        "UPDATE boot SET host_load = ?, host_others = ?, host_steal = ?, host_mhz = ?,"
        " host_suspended = ? WHERE id = ?",
        host.load, host.others, host.steal, host.mhz, host.suspended_s, boot)
      .run();
}

std::unexpected<Error> not_open(std::int64_t boot) {
  return fail(ErrorKind::bug, fmt::format("boot {} is not open in this store", boot));
}

}  // namespace

Status Store::built(const std::string& run, const KernelSpec& spec, const Result<Image>& outcome) {
  return guarded(impl_->file, "recording a build", [&]() -> Status {
    BR_TRY_ASSIGN(const auto number, impl_->writable(run));
    Transaction transaction(*impl_->main, Transaction::Kind::write);
    const auto kernel = impl_->kernel_row(number, spec);
    if (outcome)
      insert_image(*impl_->main, number, kernel, *outcome);
    else
      insert_failure(*impl_->main, number, kernel, outcome.error());
    transaction.commit();
    return {};
  });
}

Result<std::int64_t> Store::boot_started(const std::string& run, const BootStart& start) {
  return guarded(impl_->file, "recording a boot", [&]() -> Result<std::int64_t> {
    BR_TRY_ASSIGN(const auto number, impl_->writable(run));
    Transaction transaction(*impl_->main, Transaction::Kind::write);
    const auto kernel = impl_->kernel_row(number, start.spec);
    Query(
        *impl_->main,
        "INSERT INTO boot (run, kernel, signature, scenario_digest, recorded_at, cpus, memory_mib,"
        " accelerator, clock, outcome) VALUES (?,?,?,?,?,?,?,?,?,?)",
        number, kernel, start.signature, start.scenario_digest, wall_clock(), start.machine.cpus,
        start.machine.memory_mib, start.machine.accelerator, start.machine.clock,
        to_string(BootOutcome::running))
        .run();
    const auto boot = last_insert_id(*impl_->main);
    transaction.commit();
    impl_->open_boots.insert(boot);
    return boot;
  });
}

Status Store::handshake(std::int64_t boot, const Handshake& handshake) {
  return guarded(impl_->file, "recording a handshake", [&]() -> Status {
    if (!impl_->open_boots.contains(boot)) return not_open(boot);
    update_handshake(*impl_->quick, boot, handshake);
    return {};
  });
}

Status Store::sample(std::int64_t boot, const Sample& sample) {
  return guarded(impl_->file, "recording a sample", [&]() -> Status {
    if (!impl_->open_boots.contains(boot)) return not_open(boot);
    // SQLite stores a NaN as null, which means something else: a counter that is not there.
    if (sample.value && !std::isfinite(*sample.value))
      return fail(ErrorKind::skip_guest,
                  fmt::format("{}: the guest sent a value that is no number", sample.metric));
    const auto metric = impl_->metric_row(sample.metric, sample.unit);
    if (!impl_->insert_sample)
      impl_->insert_sample.emplace(
          *impl_->quick,
          "INSERT INTO sample (boot, metric, mark, repetition, chunk, items, wall_ns, user_ns, "
          "system_ns,"
          " voluntary_switches, tsc_cycles, value) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)");
    try {
      impl_->insert_sample->run_with(boot, metric, sample.mark, sample.repetition, sample.chunk,
                                     sample.items, sample.wall_ns, sample.user_ns, sample.system_ns,
                                     sample.voluntary_switches, sample.tsc_cycles, sample.value);
    } catch (...) {
      if (!is_duplicate_key()) throw;
      return fail(ErrorKind::skip_guest,
                  fmt::format("the guest sent the sample {} at {}, repetition {}, chunk {} twice",
                              sample.metric, sample.mark, sample.repetition, sample.chunk));
    }
    return {};
  });
}

Status Store::boot_ended(std::int64_t boot, const Boot& result, double ended_at) {
  return guarded(impl_->file, "recording the end of a boot", [&]() -> Status {
    if (!impl_->open_boots.contains(boot)) return not_open(boot);
    Transaction transaction(*impl_->main, Transaction::Kind::write);
    if (result.handshake) update_handshake(*impl_->main, boot, *result.handshake);
    if (result.host) update_host(*impl_->main, boot, *result.host);
    Query(*impl_->main,
          "UPDATE boot SET ended_at = ?, domain = ?, cpus = ?, memory_mib = ?, accelerator = ?, "
          "clock = ?,"
          " cmdline = ?, outcome = ?, reason = ?, console_tail = ?, wall_seconds = ?, "
          "destroy_seconds = ?"
          " WHERE id = ?",
          ended_at, result.domain, result.machine.cpus, result.machine.memory_mib,
          result.machine.accelerator, result.machine.clock, result.cmdline,
          to_string(result.outcome), result.reason, result.console_tail, result.wall_seconds,
          result.destroy_seconds, boot)
        .run();
    Query(*impl_->main,
          "UPDATE run SET elapsed = max(elapsed, ?) WHERE number = (SELECT run FROM boot WHERE id "
          "= ?)",
          ended_at, boot)
        .run();
    transaction.commit();
    impl_->open_boots.erase(boot);
    return {};
  });
}

}  // namespace bisect_run::store
