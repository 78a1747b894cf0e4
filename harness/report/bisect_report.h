#pragma once

#include <string>

#include "report/facts.h"

namespace bisect_run::report {

/// The report of a bisection for a terminal: the answer first, then the evidence, what was skipped
/// and why, where the time went, and the command that repeats any point. At most 78 columns, but
/// for words and commit subjects, which are cut, never broken. Works for a run that is going on.
std::string bisect_text(const BisectFacts& facts);

/// The same behind the state of the run, with the last lines of its journal.
std::string show_text(const BisectFacts& facts);

/// The verdicts as `git bisect log` writes them, for `git bisect replay`: the ends, every commit
/// that was found good, bad or untestable; what is undecided is a comment. `good` is the old level.
std::string bisect_log(const BisectFacts& facts);

/// One JSON object as schemas/bisect.schema.json says.
std::string bisect_json(const BisectFacts& facts);

}  // namespace bisect_run::report
