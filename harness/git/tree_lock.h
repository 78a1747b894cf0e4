#pragma once

#include <chrono>
#include <filesystem>

#include "model/error.h"
#include "model/unique_fd.h"

namespace bisect_run::git {

/// Takes the lock file for as long as the descriptor is open, here or in a child that inherited it.
///
/// A live owner is a usage error, after five seconds in which one that was killed can go. An owner
/// that died while its git still works is waited for, `patience` long; then infra.
Result<UniqueFd> lock_tree(const std::filesystem::path& file,
                           std::chrono::seconds patience = std::chrono::seconds(120));

}  // namespace bisect_run::git
