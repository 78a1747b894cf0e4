#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "store/json.h"
#include "store/schema.h"
#include "store/store.h"
#include "support/store_facts.h"
#include "support/temp_dir.h"

// Files as they come: foreign, newer, damaged, locked, or in a place that cannot be written.

namespace bisect_run::store {
namespace {

using test::some_request;
using test::some_sample;
using test::some_start;

std::string sqlite3(const std::filesystem::path& file, const std::string& sql) {
  const auto command = "sqlite3 '" + file.string() + "' \"" + sql + "\" 2>&1";
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  for (int c; (c = fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  pclose(pipe);
  return output;
}

bool have_sqlite3() {
  return std::system("command -v sqlite3 > /dev/null 2>&1") == 0;
}

/// Names, sizes and bytes of everything in a directory.
std::map<std::string, std::string> contents(const std::filesystem::path& directory) {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    all[entry.path().filename()] = test::read_file(entry.path());
  return all;
}

void fill(const std::filesystem::path& file, int samples) {
  auto store = Store::open(file).value();
  const auto id = store.begin_run(some_request(), {}).value();
  const auto boot = store.boot_started(id, some_start('a')).value();
  for (int i = 0; i < samples; ++i) ASSERT_TRUE(store.sample(boot, some_sample(i)));
  ASSERT_TRUE(store.boot_ended(boot, {}, 1));
}

void expect_refused(const std::filesystem::path& file, ErrorKind kind, std::string_view words) {
  const auto before = contents(file.parent_path());
  const auto writer = Store::open(file), reader = Store::open_read_only(file);
  for (const auto* result : {&writer, &reader}) {
    ASSERT_FALSE(*result);
    const Error& opened = result->error();
    EXPECT_EQ(opened.kind, kind) << opened.message;
    EXPECT_NE(opened.message.find(words), std::string::npos) << opened.message;
    EXPECT_TRUE(opened.message.starts_with(file.string())) << opened.message;
  }
  EXPECT_EQ(contents(file.parent_path()), before);
}

TEST(ResultsFile, ForeignOnesAreLeftAlone) {
  const test::TempDir directory;
  test::write_file(directory / "text.db", std::string(5000, 'x'));
  expect_refused(directory / "text.db", ErrorKind::usage, "not a results file of bisect-run");
  test::write_file(directory / "short.db", "SQLite format 3");
  expect_refused(directory / "short.db", ErrorKind::usage, "not a results file of bisect-run");
  if (!have_sqlite3()) GTEST_SKIP() << "sqlite3 is not installed";
  sqlite3(directory / "other.db",
          "PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES(1);");
  expect_refused(directory / "other.db", ErrorKind::usage, "not a results file of bisect-run");
  sqlite3(directory / "browser.db", "PRAGMA application_id=17; CREATE TABLE t(a);");
  expect_refused(directory / "browser.db", ErrorKind::usage, "not a results file of bisect-run");
}

TEST(ResultsFile, NewerOnesAreLeftAlone) {
  if (!have_sqlite3()) GTEST_SKIP() << "sqlite3 is not installed";
  const test::TempDir directory;
  fill(directory / "r.db", 10);
  sqlite3(directory / "r.db", "PRAGMA user_version=99;");
  expect_refused(directory / "r.db", ErrorKind::usage,
                 "written by a newer version of bisect-run (schema 99");
}

// Such a view never ends, such a trigger works on every write, such a column is computed anew.
TEST(ResultsFile, ASchemaThatComputesIsRefused) {
  if (!have_sqlite3()) GTEST_SKIP() << "sqlite3 is not installed";
  for (const std::string odd :
       {"ALTER TABLE sample RENAME TO old; CREATE VIEW sample AS WITH RECURSIVE n(i) AS"
        " (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT old.* FROM n, old;",
        "CREATE TRIGGER t AFTER UPDATE ON run BEGIN DELETE FROM boot; END;",
        "ALTER TABLE run ADD COLUMN computed TEXT AS (hex(zeroblob(1000000)));",
        "CREATE VIRTUAL TABLE t USING fts5(a);"}) {
    const test::TempDir directory;
    fill(directory / "r.db", 10);
    sqlite3(directory / "r.db", odd);
    const auto writer = Store::open(directory / "r.db");
    const auto reader = Store::open_read_only(directory / "r.db");
    for (const auto* store : {&writer, &reader}) {
      ASSERT_FALSE(*store) << odd;
      EXPECT_EQ(store->error().kind, ErrorKind::usage);
      EXPECT_NE(store->error().message.find("computed columns"), std::string::npos);
    }
  }
}

// What is printed as it is, or becomes part of a path.
TEST(ResultsFile, ARunOfAStrangerHasANameAndATime) {
  if (!have_sqlite3()) GTEST_SKIP() << "sqlite3 is not installed";
  for (const std::string odd : {"id = '../../etc'", "id = ''", "id = char(27) || '[2J'",
                                "started_at = 1e300", "started_at = -1e999", "ended_at = 1e18"}) {
    const test::TempDir directory;
    fill(directory / "r.db", 10);
    sqlite3(directory / "r.db", "UPDATE run SET " + odd + ";");
    const auto store = Store::open_read_only(directory / "r.db");
    ASSERT_TRUE(store) << store.error().message;
    const auto runs = store->runs();
    ASSERT_FALSE(runs) << odd;
    EXPECT_EQ(runs.error().kind, ErrorKind::infra);
    EXPECT_NE(runs.error().message.find("damaged"), std::string::npos) << runs.error().message;
  }
}

TEST(ResultsFile, OneOfTheFirstSchemaIsBroughtUpToDateWithItsFacts) {
  if (!have_sqlite3()) GTEST_SKIP() << "sqlite3 is not installed";
  const test::TempDir directory;
  const std::string spec = to_json(some_start('a').spec);
  test::write_file(
      directory / "first.sql",
      std::string(migrations()[0]) +
          "PRAGMA application_id = 1649571182; PRAGMA user_version = 1;\n"  // "bRun"
          "INSERT INTO run VALUES (1, '20250101-000000-aaaa', 'bisect', 'interrupted', '', 1, 2, 3,"
          " '" +
          to_json(some_request()) +
          "', '', '{}', NULL);\n"
          "INSERT INTO kernel VALUES (1, 1, 'k', 'a', 'none', '" +
          spec +
          "');\n"
          "INSERT INTO boot (id, run, kernel, signature, scenario_digest, recorded_at, cpus,"
          " memory_mib, accelerator, clock, outcome)"
          " VALUES (1, 1, 1, 's', 'd', 1, 2, 512, 'tcg', 'real', 'complete');\n"
          "INSERT INTO metric VALUES (1, 'm', 'items/s');\n"
          "INSERT INTO sample VALUES (1, 1, 50, 0, 0, 10, 1000, NULL, NULL, NULL, NULL, NULL);\n");
  ASSERT_EQ(sqlite3(directory / "r.db", ".read " + (directory / "first.sql").string()), "");
  const auto reader = Store::open_read_only(directory / "r.db");
  ASSERT_FALSE(reader);
  EXPECT_NE(reader.error().message.find("older version"), std::string::npos)
      << reader.error().message;
  const auto store = Store::open(directory / "r.db");
  ASSERT_TRUE(store) << store.error().message;
  const auto history = store->history(store->last_run()->id);
  ASSERT_TRUE(history) << history.error().message;
  ASSERT_EQ(history->boots.size(), 1u);
  EXPECT_EQ(history->boots[0].samples.size(), 1u);
  EXPECT_FALSE(history->boots[0].boot.host);
}

TEST(ResultsFile, IsWhatItClaimsToBe) {
  if (!have_sqlite3()) GTEST_SKIP() << "sqlite3 is not installed";
  const test::TempDir directory;
  fill(directory / "r.db", 10);
  EXPECT_EQ(sqlite3(directory / "r.db", "PRAGMA journal_mode"), "wal\n");
  EXPECT_EQ(sqlite3(directory / "r.db", "PRAGMA integrity_check"), "ok\n");
  EXPECT_EQ(sqlite3(directory / "r.db", "PRAGMA foreign_key_check"), "");
  EXPECT_EQ(sqlite3(directory / "r.db", "SELECT count(*), min(wall_ns), max(chunk) FROM sample"),
            "10|1000000|9\n");
  // Strict and guarded: what is no number, or leads nowhere, is not taken.
  EXPECT_NE(sqlite3(directory / "r.db", "UPDATE sample SET items = 'many'"), "");
  EXPECT_NE(sqlite3(directory / "r.db",
                    "PRAGMA foreign_keys=ON; INSERT INTO probe VALUES(77,0,'','','','',0,0)"),
            "");
}

TEST(ResultsFile, AnEmptyFileIsANewOne) {
  const test::TempDir directory;
  test::write_file(directory / "r.db", "");
  EXPECT_EQ(Store::open_read_only(directory / "r.db").error().kind, ErrorKind::usage);
  EXPECT_TRUE(Store::open(directory / "r.db"));
  EXPECT_TRUE(Store::open_read_only(directory / "r.db"));
  EXPECT_EQ(Store::open_read_only(directory / "none.db").error().kind, ErrorKind::usage);
  EXPECT_FALSE(std::filesystem::exists(directory / "none.db"));
}

TEST(ResultsFile, ACutOneIsTold) {
  const test::TempDir directory;
  fill(directory / "r.db", 2000);
  std::filesystem::remove(directory / "r.db-lock");
  const auto size = std::filesystem::file_size(directory / "r.db");
  ASSERT_GT(size, 100'000u);
  std::filesystem::resize_file(directory / "r.db", size / 2);
  expect_refused(directory / "r.db", ErrorKind::infra, "cut short");
}

// Whatever the damage, there is an answer: either an error, or all that was written.
TEST(ResultsFile, DamageIsNeverReadAsFacts) {
  const test::TempDir directory;
  fill(directory / "r.db", 2000);
  const auto whole = test::read_file(directory / "r.db");
  int told = 0;
  for (std::size_t page = 4096; page < whole.size(); page += 4096) {
    std::string damaged = whole;
    std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(page), 4096, '\xa5');
    test::write_file(directory / "r.db", damaged);
    const auto store = Store::open_read_only(directory / "r.db");
    const auto run = store ? store->last_run() : std::unexpected(store.error());
    const auto history = run ? store->history(run->id) : std::unexpected(run.error());
    if (!history) {
      ++told;
      EXPECT_FALSE(history.error().message.empty());
      continue;
    }
    ASSERT_EQ(history->boots.size(), 1u);
    EXPECT_EQ(history->boots[0].samples.size(), 2000u);
  }
  EXPECT_GT(told, 10);
}

/// Runs `body` in a child; true if it returned true.
bool in_child(const std::function<bool()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(ResultsFile, AReadOnlyPlaceCanBeReadAndIsNamed) {
  if (geteuid() != 0) GTEST_SKIP() << "mounting needs root";
  const test::TempDir directory;
  const auto place = (directory / "ro").string();
  std::filesystem::create_directory(place);
  fill(place + "/r.db", 10);
  EXPECT_TRUE(in_child([&] {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
      return false;
    if (mount(place.c_str(), place.c_str(), nullptr, MS_BIND, nullptr) != 0) return false;
    if (mount(nullptr, place.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) != 0)
      return false;
    const auto reader = Store::open_read_only(place + "/r.db");
    if (!reader) return fprintf(stderr, "%s\n", reader.error().message.c_str()), false;
    if (reader->history(reader->last_run()->id)->boots[0].samples.size() != 10) return false;
    const auto writer = Store::open(place + "/r.db"), fresh = Store::open(place + "/new/r.db");
    for (const auto* refused : {&writer, &fresh}) {
      if (*refused || refused->error().kind != ErrorKind::usage) return false;
      if (refused->error().message.find("--results") == std::string::npos) return false;
    }
    return true;
  }));
}

// A disk that fills in the middle of a boot: an abort, and nothing acknowledged is lost.
TEST(ResultsFile, AFullDiskIsToldAndLosesNothing) {
  if (geteuid() != 0) GTEST_SKIP() << "mounting needs root";
  const test::TempDir directory;
  const auto place = (directory / "small").string();
  std::filesystem::create_directory(place);
  EXPECT_TRUE(in_child([&] {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
      return false;
    if (mount("tmpfs", place.c_str(), "tmpfs", 0, "size=2m") != 0) return false;
    auto store = Store::open(place + "/r.db").value();
    const auto id = store.begin_run(some_request(), {}).value();
    const auto boot = store.boot_started(id, some_start('a')).value();
    std::size_t kept = 0;
    Status last;
    while (kept < 200'000 && (last = store.sample(boot, some_sample(static_cast<int>(kept)))))
      ++kept;
    if (last || last.error().kind != ErrorKind::infra) return false;
    if (last.error().message.find("the disk is full") == std::string::npos)
      return fprintf(stderr, "%s\n", last.error().message.c_str()), false;
    const auto reader = Store::open_read_only(place + "/r.db");
    return kept > 100 && reader && reader->history(id)->boots[0].samples.size() == kept;
  }));
}

TEST(ResultsFile, ALockThatIsNotGivenUpIsTold) {
  if (!have_sqlite3()) GTEST_SKIP() << "sqlite3 is not installed";
  const test::TempDir directory;
  auto store = Store::open(directory / "r.db", std::chrono::milliseconds(50)).value();
  const auto id = store.begin_run(some_request(), {}).value();
  FILE* other = popen(
      ("sqlite3 '" + (directory / "r.db").string() + "' > '" + (directory / "said").string() + "'")
          .c_str(),
      "w");
  fputs("BEGIN IMMEDIATE;\nSELECT 'locked';\n", other);
  fflush(other);
  while (test::read_file(directory / "said") != "locked\n") usleep(1000);
  const auto refused = store.journal(id, "stage", "", 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::infra);
  EXPECT_NE(refused.error().message.find("holds the file locked"), std::string::npos);
  pclose(other);
  EXPECT_TRUE(store.journal(id, "stage", "", 1));
}

}  // namespace
}  // namespace bisect_run::store
