#pragma once

#include <cstdint>
#include <filesystem>

// A look at a file before SQLite may touch it: SQLite would make side files beside, or even write
// into, whatever it is given.

namespace bisect_run::store {

struct FileHeader {
  enum class Kind {
    absent,
    empty,
    unreadable,
    foreign,  ///< something else, or another program's SQLite database
    cut,      ///< ours, but shorter than its own header says
    ours,
  };
  Kind kind = Kind::absent;
  std::uint32_t version = 0;  ///< user_version, as of the last checkpoint
};

/// Reads the 100 bytes that begin every SQLite file (https://sqlite.org/fileformat2.html, 1.3).
FileHeader read_header(const std::filesystem::path& file);

}  // namespace bisect_run::store
