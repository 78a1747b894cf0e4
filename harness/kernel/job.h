#pragma once

#include <stop_token>

#include "kernel/image_cache.h"
#include "kernel/make.h"
#include "kernel/plan.h"

namespace bisect_run::kernel {

/// Configures and builds one plan in its object directory, whose lock is held. The files of the
/// result lie in the object directory still. Errors as for `make`; skip_build too where a
/// must-have did not survive configuration.
Result<StoredImage> run_job(const MakeCall& call, ObjectDir& objects, const Compiler& compiler,
                            const TreeFacts& facts, const Plan& plan, std::stop_token stop,
                            const std::function<void(double, std::string_view)>& progress);

}  // namespace bisect_run::kernel
