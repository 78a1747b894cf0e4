#pragma once

#include <filesystem>
#include <string>

#include "model/error.h"

namespace bisect_run::kernel {

/// Our own headers, wrappers and patches for old trees, as they were when a run began.
struct RemedyFiles {
  std::filesystem::path directory;  ///< named by the content: equal content, equal paths for ccache
  std::string digest;               ///< of names, contents and what may be executed
};

/// Copies `from` to a directory below `shelf` that is named by its content, once. An empty or
/// missing `from` gives an empty directory. Error: infra.
Result<RemedyFiles> shelve_remedies(const std::filesystem::path& from,
                                    const std::filesystem::path& shelf);

}  // namespace bisect_run::kernel
