#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/error.h"

namespace bisect_run::kernel {

/// The files of `tree` that the builds in `objects` have read, as far as kbuild's dependency files
/// (.NAME.cmd and .NAME.d beside each object) name them: relative to the tree, sorted, each once.
/// Earlier builds in the same directory are in it too: more than enough never does harm.
/// Error: infra.
Result<std::vector<std::string>> files_read(const std::filesystem::path& objects,
                                            const std::filesystem::path& tree);

/// The words of one dependency file that lie below `tree`, made relative to it and clean.
std::vector<std::string> paths_below(const std::string& tree, std::string_view text);

}  // namespace bisect_run::kernel
