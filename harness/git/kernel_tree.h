#pragma once

#include "git/repository.h"

namespace bisect_run::git {

/// True when the commit holds a Linux tree for x86: Kconfig, a Makefile with a VERSION, kernel/
/// and arch/x86/. Looks at names only, so it is cheap.
bool is_kernel_tree(const Repository& repository, const Oid& commit);

/// The same as a refusal. Errors: usage.
Status require_kernel_tree(const Repository& repository, const Oid& commit);

}  // namespace bisect_run::git
