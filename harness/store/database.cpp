#include "store/database.h"

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>
#include <thread>

#include "model/try.h"
#include "store/file_header.h"
#include "store/query.h"
#include "store/schema.h"
#include "store/sqlite_error.h"

namespace bisect_run::store {
namespace {

using Milliseconds = std::chrono::milliseconds;

std::uint32_t current_version() {
  return static_cast<std::uint32_t>(migrations().size());
}

std::unexpected<Error> refuse(const std::filesystem::path& file, std::string_view why) {
  return fail(ErrorKind::usage, fmt::format("{}: {}", file.string(), why));
}

Status refuse_newer(const std::filesystem::path& file, std::uint32_t version) {
  if (version <= current_version()) return {};
  return refuse(file, fmt::format("written by a newer version of bisect-run (schema {}, this one "
                                  "knows {}); upgrade, or choose another file with --results",
                                  version, current_version()));
}

/// Decides by the header alone whether SQLite may touch the file.
Status check_header(const std::filesystem::path& file, const FileHeader& header) {
  switch (header.kind) {
    case FileHeader::Kind::foreign:
      return refuse(file, "not a results file of bisect-run; choose another with --results");
    case FileHeader::Kind::unreadable:
      return refuse(file,
                    "cannot be read; look at its permissions, or choose another with --results");
    case FileHeader::Kind::cut:
      return fail(ErrorKind::infra,
                  fmt::format("{0}: the file is cut short; save what it holds with `sqlite3 {0} "
                              ".recover`, then move it away",
                              file.string()));
    case FileHeader::Kind::ours:
      return refuse_newer(file, header.version);
    case FileHeader::Kind::absent:
    case FileHeader::Kind::empty:
      return {};
  }
  return {};
}

/// No text or blob of ours comes near.
constexpr int kLongestValue = 64 << 20;

/// A file may come from a stranger: its schema runs no code of its own, its pages are checked, and
/// no value of it fills the memory (https://sqlite.org/security.html).
void distrust(SQLite::Database& database) {
  sqlite3_limit(database.getHandle(), SQLITE_LIMIT_LENGTH, kLongestValue);
  database.exec("PRAGMA trusted_schema = OFF");
  database.exec("PRAGMA cell_size_check = ON");
}

/// Only tables and indexes: a view or a column that is computed may never come to an end.
Status check_schema(const std::filesystem::path& file, SQLite::Database& database) {
  Query odd(database,
            "SELECT 1 FROM sqlite_schema WHERE type NOT IN ('table', 'index')"
            " OR sql LIKE 'CREATE VIRTUAL%' UNION ALL"
            " SELECT 1 FROM sqlite_schema AS s, pragma_table_xinfo(s.name) AS x"
            " WHERE s.type = 'table' AND x.hidden <> 0 LIMIT 1");
  if (!odd.next()) return {};
  return refuse(file,
                "holds views, triggers or computed columns, which no results file of bisect-run "
                "has; choose another with --results");
}

void configure(SQLite::Database& database, Durability durability) {
  database.exec("PRAGMA foreign_keys = ON");
  database.exec(durability == Durability::power ? "PRAGMA synchronous = FULL"
                                                : "PRAGMA synchronous = NORMAL");
}

std::uint32_t version_of(SQLite::Database& database) {
  return static_cast<std::uint32_t>(database.execAndGet("PRAGMA user_version").getInt64());
}

/// Runs the steps that are missing, in one transaction. The version is read again inside it: two
/// controllers may open a new file at the same moment.
void migrate(SQLite::Database& database) {
  Transaction transaction(database, Transaction::Kind::write);
  for (auto version = version_of(database); version < current_version(); ++version)
    database.exec(migrations()[version]);
  database.exec(fmt::format("PRAGMA application_id = {}", kApplicationId));
  database.exec(fmt::format("PRAGMA user_version = {}", current_version()));
  transaction.commit();
}

/// The change to a write-ahead log needs the file alone for a moment, and does not wait by itself.
Status use_log(const std::filesystem::path& file, SQLite::Database& database,
               Milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (true) {
    try {
      if (database.execAndGet("PRAGMA journal_mode = WAL").getString() == "wal") return {};
      return fail(
          ErrorKind::infra,
          fmt::format("{}: this file system cannot share a database between processes; choose "
                      "another place with --results",
                      file.string()));
    } catch (const SQLite::Exception& error) {
      if (error.getErrorCode() != SQLITE_BUSY || std::chrono::steady_clock::now() > deadline) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
}

Status make_directory(const std::filesystem::path& file) {
  std::error_code error;
  const auto directory = file.parent_path();
  if (!directory.empty()) std::filesystem::create_directories(directory, error);
  if (error)
    return refuse(file, fmt::format("its directory cannot be made ({}); choose another place with "
                                    "--results",
                                    error.message()));
  return {};
}

/// A path as a `file:` URI, in which SQLite gives some characters a meaning.
std::string uri_of(const std::filesystem::path& file) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(file).string())
    uri += c == '?' || c == '#' || c == '%' ? fmt::format("%{:02x}", c) : std::string(1, c);
  return uri;
}

/// On a file system that cannot be written there is nobody to wait for, and no side file can be
/// made: the file is read as it lies there.
DatabaseHandle open_immutable(const std::filesystem::path& file, Milliseconds patience) {
  return std::make_unique<SQLite::Database>(uri_of(file) + "?immutable=1",
                                            SQLite::OPEN_READONLY | SQLite::OPEN_URI,
                                            static_cast<int>(patience.count()));
}

DatabaseHandle open_reader(const std::filesystem::path& file, Milliseconds patience) {
  try {
    auto database = std::make_unique<SQLite::Database>(file.string(), SQLite::OPEN_READONLY,
                                                       static_cast<int>(patience.count()));
    version_of(*database);
    return database;
  } catch (const SQLite::Exception& error) {
    const bool no_side_file =
        error.getErrorCode() == SQLITE_CANTOPEN || error.getErrorCode() == SQLITE_READONLY;
    if (!no_side_file || std::filesystem::exists(file.string() + "-wal")) throw;
    return open_immutable(file, patience);
  }
}

}  // namespace

Result<DatabaseHandle> open_for_writing(const std::filesystem::path& file, Milliseconds patience) {
  return guarded(file, "opening", [&]() -> Result<DatabaseHandle> {
    BR_TRY(check_header(file, read_header(file)));
    BR_TRY(make_directory(file));
    auto database = std::make_unique<SQLite::Database>(file.string(),
                                                       SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE,
                                                       static_cast<int>(patience.count()));
    distrust(*database);
    const auto version = version_of(*database);
    BR_TRY(refuse_newer(file, version));
    BR_TRY(check_schema(file, *database));
    configure(*database, Durability::power);
    if (version < current_version()) migrate(*database);
    BR_TRY(use_log(file, *database, patience));
    return database;
  });
}

Result<DatabaseHandle> open_again(const std::filesystem::path& file, Durability durability,
                                  Milliseconds patience) {
  return guarded(file, "opening", [&]() -> Result<DatabaseHandle> {
    auto database = std::make_unique<SQLite::Database>(file.string(), SQLite::OPEN_READWRITE,
                                                       static_cast<int>(patience.count()));
    configure(*database, durability);
    return database;
  });
}

Result<DatabaseHandle> open_for_reading(const std::filesystem::path& file, Milliseconds patience) {
  return guarded(file, "opening", [&]() -> Result<DatabaseHandle> {
    const auto header = read_header(file);
    if (header.kind == FileHeader::Kind::absent || header.kind == FileHeader::Kind::empty)
      return refuse(file,
                    "no results there yet; start a run, or choose another file with --results");
    BR_TRY(check_header(file, header));
    auto database = open_reader(file, patience);
    distrust(*database);
    const auto version = version_of(*database);
    BR_TRY(refuse_newer(file, version));
    BR_TRY(check_schema(file, *database));
    if (version < current_version())
      return refuse(file,
                    "written by an older version; the next run or `resume` brings it up to date");
    return database;
  });
}

}  // namespace bisect_run::store
