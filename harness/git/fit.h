#pragma once

#include <vector>

#include "git/repository.h"
#include "model/kernel.h"

namespace bisect_run::git {

/// Whether `patches` fit `commit`, each on top of the ones before. Nothing is written anywhere.
/// Errors, usage: a patch that cannot be read or does not fit, with its name, the file and the
/// hunk; infra: objects that are missing.
Status require_fit(const Repository& repository, const Oid& commit,
                   const std::vector<Patch>& patches);

}  // namespace bisect_run::git
