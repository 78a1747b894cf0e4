#pragma once

#include <vector>

#include "git/handles.h"
#include "model/kernel.h"

namespace bisect_run::git {

/// The tree of `commit_or_tree` with `patches` applied in their order, written to `repository`
/// (one of our own). All or nothing. Errors, usage: a patch that cannot be read or does not fit,
/// with its name, the file and the hunk; infra: objects that are missing or cannot be written.
Result<Oid> apply_to_tree(git_repository* repository, const Oid& commit_or_tree,
                          const std::vector<Patch>& patches);

}  // namespace bisect_run::git
