#pragma once

#include <string>
#include <vector>

#include "kernel/compiler.h"
#include "model/error.h"
#include "model/remedy.h"

namespace bisect_run::kernel {

/// Whether the compiler makes an object out of an empty file with these flags, all at once.
/// Error: infra, with its first complaint.
Status accepts(const Compiler& compiler, const std::vector<std::string>& flags);

/// What `CC -dumpversion` begins with: 12. Error: infra.
Result<int> major_release(const Compiler& compiler);

/// Every flag that remedies may give to the compiler or, through it, to the assembler.
std::vector<std::string> flags_of(const std::vector<Remedy>& remedies);

}  // namespace bisect_run::kernel
