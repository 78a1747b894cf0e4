#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "model/error.h"

namespace SQLite {
class Database;
}

namespace bisect_run::store {

/// What a commit waits for. `power`: the disk has it. `process`: the kernel has it, which the
/// death of this process cannot undo; a later commit of the other kind takes it to the disk too,
/// because both write one log.
enum class Durability { power, process };

/// `patience` is how long a statement waits for another process before it gives up.
using DatabaseHandle = std::unique_ptr<SQLite::Database>;

/// Opens for writing a file that is ours, empty or not there, and brings its schema up to date.
Result<DatabaseHandle> open_for_writing(const std::filesystem::path& file,
                                        std::chrono::milliseconds patience);
/// A further connection to a file that open_for_writing has seen.
Result<DatabaseHandle> open_again(const std::filesystem::path& file, Durability durability,
                                  std::chrono::milliseconds patience);
/// Opens for reading a file that is ours and of today's schema.
Result<DatabaseHandle> open_for_reading(const std::filesystem::path& file,
                                        std::chrono::milliseconds patience);

}  // namespace bisect_run::store
