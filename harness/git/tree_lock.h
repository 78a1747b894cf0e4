#pragma once

#include <chrono>
#include <filesystem>

#include "git/descriptor.h"
#include "model/error.h"

namespace bisect_run::git {

/// Takes the lock file for as long as the descriptor is open, here or in a child that inherited it.
///
/// A live owner is a usage error, after five seconds in which one that was killed can go. An owner
/// that died while its git still works is waited for, `patience` long; then infra.
Result<Descriptor> lock_tree(const std::filesystem::path& file,
                             std::chrono::seconds patience = std::chrono::seconds(120));

}  // namespace bisect_run::git
