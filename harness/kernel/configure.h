#pragma once

#include <stop_token>
#include <string>

#include "kernel/make.h"

namespace bisect_run::kernel {

/// Makes out/.config from the fragment with `make target`: everything that the fragment does not
/// name and that nothing selects is off (allnoconfig) or has its default (alldefconfig). Does
/// nothing where the last answer to the same fragment and `tree_question` (digest of what
/// configuration depends on) still lies there; leaves the file's time alone where the new answer is
/// the old one, so that make rebuilds nothing. Errors and `orderly` as for `make`.
Status configure(const MakeCall& call, const ObjectDir& objects, const Compiler& compiler,
                 const std::string& target, const std::string& fragment,
                 const std::string& tree_question, std::stop_token stop, bool& orderly);

}  // namespace bisect_run::kernel
