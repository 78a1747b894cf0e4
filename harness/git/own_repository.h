#pragma once

#include <filesystem>

#include "git/repository.h"
#include "model/error.h"

// The git directory of a WorkTree, as files. For this room only.

namespace bisect_run::git {

/// All object directories `objects` reads from, itself first, absolute: what it borrows from is
/// named too, because a relative name is only understood one step away.
std::vector<std::filesystem::path> object_directories(const std::filesystem::path& objects);

/// Makes a git directory that borrows from `origin`. Errors: infra.
Status make_own_repository(const std::filesystem::path& git_dir, const Repository& origin);

/// True when it is whole: head, settings, an index that can be read or none.
bool own_repository_is_sound(const std::filesystem::path& git_dir);

/// Lets it borrow from `origin`, and from nothing else. Errors: infra.
Status borrow_from(const std::filesystem::path& git_dir, const Repository& origin);

}  // namespace bisect_run::git
