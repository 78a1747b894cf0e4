#pragma once

#include <filesystem>
#include <string_view>

#include "model/error.h"

namespace bisect_run::store {

/// The exception in flight as an Error; to be called in a catch block only.
Error translated(const std::filesystem::path& file, std::string_view what);

/// Runs `work` and turns whatever it throws into an Error of `what`.
template <class Work>
auto guarded(const std::filesystem::path& file, std::string_view what, Work work)
    -> decltype(work()) {
  try {
    return work();
  } catch (...) {
    return std::unexpected(translated(file, what));
  }
}

/// Whether the SQLite exception in flight says that a key is there already.
bool is_duplicate_key();

}  // namespace bisect_run::store
