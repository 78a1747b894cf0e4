#pragma once

#include <vector>

#include "cli/arguments.h"
#include "git/repository.h"
#include "model/recipe.h"
#include "model/run.h"

namespace bisect_run::cli {

/// The kernels of a command line: each SPEC with each variant asked for, equal ones once. A SPEC
/// keeps what it says of an axis itself; an axis of offloading that nobody named is `none`, or
/// `off` where a tree cannot offload (in a bisect, where one of them cannot).
/// Errors: usage.
Result<std::vector<KernelSpec>> read_kernels(const Arguments& arguments, const Recipe& recipe,
                                             const git::Repository& repository, bool bisecting);

/// What a bisect asks of its ends: no patches, one variant, two commits. Errors: usage.
Status check_ends(const Arguments& arguments, const std::vector<KernelSpec>& kernels);

}  // namespace bisect_run::cli
