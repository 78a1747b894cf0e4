#pragma once

#include <string>
#include <vector>

#include "report/facts.h"
#include "report/lines.h"

namespace bisect_run::report {

// What stands behind an answer and beside it, the same in text, mail and page: each format lays
// the lines out in its own way.

/// The size of the change with its 95 % interval, or why it is not known; nothing without a commit.
NamedLines effect_lines(const BisectFacts& facts);

/// The label of a config-induced answer, what differs, and which of the two it was; nothing for
/// any other answer.
NamedLines config_lines(const BisectFacts& facts);

/// Verification, revert test, how often the level changed, and what is left of the difference.
NamedLines proof_lines(const Answer& answer);

/// A change beside the answer's.
struct FurtherText {
  std::string heading;
  const std::vector<Commit>& commits;
  double effect;  ///< as in the answer
  NamedLines lines;
};
/// Those that were found, in their order. They live as long as the answer.
std::vector<FurtherText> further_changes(const Answer& answer);

/// Which commits of the evidence come after the answer without having it, and why they are good;
/// empty where there are none.
std::string beside_text(const BisectFacts& facts);

}  // namespace bisect_run::report
