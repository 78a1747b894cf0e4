#pragma once

#include <optional>

#include "engine/allowance.h"
#include "engine/evidence.h"
#include "engine/prober.h"
#include "model/verdict.h"

namespace bisect_run::engine {

struct RevertSetup {
  KernelSpec good, bad;
  Commit culprit;
  Machine machine;
  Scenario scenario;
  Question question;
  Allowance allowance;
};

/// Boots GOOD, BAD and BAD with the culprit taken back in turn, 6 to 10 times each, and judges what
/// came back (statistics.md, section 12). Where the verdict would stand with twice the margin it
/// ends earlier, from two boots each on. Goes on with what the history holds of it already.
/// Where the allowance does not last, `why_not` says so. Errors: infra or interrupted; the run
/// stays resumable.
Result<RevertOutcome> run_revert_test(const RevertSetup& setup, Source& source, Prober& prober);

/// Whether this kernel was made to test a revert. Its first boot begins the test: boots from then
/// on are no evidence of the search.
bool is_reverted(const KernelSpec& spec);

}  // namespace bisect_run::engine
