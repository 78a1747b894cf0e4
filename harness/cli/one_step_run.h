#pragma once

#include "cli/execution.h"
#include "cli/workbench.h"

// The two kinds of run that serve `git bisect run`.

namespace bisect_run::cli {

/// Boots GOOD and BAD until they are told apart, and writes the request's judge file.
/// Errors: infra, interrupted; usage where the file cannot be written.
Result<RunStatus> carry_out_calibration(const Execution& execution, Workbench& bench);

/// Sets the subject beside the ends of the request's judge file. Its answer names the subject (it
/// is bad), BAD (the subject is good), or nothing, with the reason.
Result<RunStatus> carry_out_judgement(const Execution& execution, Workbench& bench);

}  // namespace bisect_run::cli
