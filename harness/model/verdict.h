#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/commit.h"

namespace bisect_run {

/// The five outcomes, in order of precedence.
enum class Outcome { abort, skip, undecided, bad, good };

std::string_view to_string(Outcome outcome);

/// What is thought of one commit, recomputed from samples at any time.
struct Probe {
  Oid oid;
  std::string subject;
  Outcome outcome = Outcome::undecided;
  std::string reason;             ///< why it is a skip, or what decided
  int boots = 0;                  ///< that count
  std::optional<double> value;    ///< median over boots of the deciding metric, in its unit
};

/// The end of a bisection.
struct Answer {
  enum class Kind { commit, set, none };
  Kind kind = Kind::none;
  std::vector<Commit> commits;      ///< one, or the smallest set that holds it
  std::string reason;               ///< why it is a set or nothing
  std::optional<double> effect;     ///< bad over good minus 1: -0.94 is 94 % slower
  std::optional<double> effect_low, effect_high;  ///< its 95 % interval
  std::optional<double> confidence; ///< probability of the answer under the model, 0..1
};

std::string_view to_string(Answer::Kind kind);

}  // namespace bisect_run
