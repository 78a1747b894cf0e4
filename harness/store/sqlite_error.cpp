#include "store/sqlite_error.h"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <sqlite3.h>

namespace bisect_run::store {
namespace {

Error of_code(const std::filesystem::path& file, std::string_view what,
              const SQLite::Exception& error) {
  const auto name = file.string();
  const auto say = [&](ErrorKind kind, std::string message) {
    return Error{kind, std::move(message), fmt::format("{}: {}", what, error.what())};
  };
  switch (error.getErrorCode()) {
    case SQLITE_FULL:
      return say(ErrorKind::infra, name + ": the disk is full; free some space and resume the run");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return say(ErrorKind::infra,
                 name + ": another process holds the file locked; end it and try again");
    case SQLITE_CORRUPT:
      return say(ErrorKind::infra,
                 fmt::format("{0}: the file is damaged; save what it holds with `sqlite3 {0} "
                             ".recover`, then move it away",
                             name));
    case SQLITE_NOTADB:
      return say(ErrorKind::usage,
                 name + ": not a results file of bisect-run; choose another with --results");
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      // What could be opened and now cannot be written is no wrong input.
      if (what != "opening" && what != "recording the run")
        return say(ErrorKind::infra, name +
                                         ": cannot be written any more; make the place "
                                         "writable again and resume the run");
      return say(ErrorKind::usage,
                 name + ": cannot be written here; choose another place with --results");
    case SQLITE_IOERR:
      return say(ErrorKind::infra,
                 name + ": reading or writing failed; look at the disk and the kernel log");
    default:
      return say(ErrorKind::infra, fmt::format("{}: {} failed: {}", name, what, error.what()));
  }
}

}  // namespace

Error translated(const std::filesystem::path& file, std::string_view what) {
  try {
    throw;
  } catch (const SQLite::Exception& error) {
    return of_code(file, what, error);
  } catch (const std::exception& error) {
    return {ErrorKind::infra, fmt::format("{}: {} failed", file.string(), what), error.what()};
  } catch (...) {
    return {ErrorKind::bug, fmt::format("{}: {} failed", file.string(), what), "unknown exception"};
  }
}

bool is_duplicate_key() {
  try {
    throw;
  } catch (const SQLite::Exception& error) {
    return error.getExtendedErrorCode() == SQLITE_CONSTRAINT_PRIMARYKEY ||
           error.getExtendedErrorCode() == SQLITE_CONSTRAINT_UNIQUE;
  } catch (...) {
    return false;
  }
}

}  // namespace bisect_run::store
