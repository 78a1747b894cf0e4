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
  std::string reason;           ///< why it is a skip, or what decided
  int boots = 0;                ///< that count
  std::optional<double> value;  ///< median over boots of the deciding metric, in its unit
};

/// A change beside the answer's, found in what that one leaves of the difference.
struct FurtherAnswer {
  std::vector<Commit> commits;                         ///< one, or the smallest set that holds it
  bool before = false;                                 ///< the answer comes after it
  std::string reason;                                  ///< why it is a set
  double effect = 0, effect_low = 0, effect_high = 0;  ///< as in Answer
  double confidence = 0;
};

/// What became of BAD when the answer was taken back on top of it.
struct RevertOutcome {
  std::string verdict;  ///< confirmed, partial, refuted or inconclusive; empty: not measured
  std::string why_not;  ///< why it was not measured, or not to an end
  std::optional<double> recovered;  ///< share of the difference that came back: 0 none, 1 all
  std::optional<double> error;      ///< its standard error
  int boots = 0;                    ///< of each of the three kernels
};

/// One thing of a variant's configuration that a commit changes.
struct ConfigDifference {
  std::string what;    ///< a symbol without CONFIG_, `boot arguments`, or `offloaded CPUs`
  std::string parent;  ///< its value there; `-` where it is not asked for in that tree
  std::string commit;
};

/// Said of an answer whose commit changes the configuration of the variant: a bisection ends there
/// whatever the commit's code does.
struct ConfigChange {
  /// Which of the two carries the change of the level.
  enum class Cause { unknown, configuration, commit, both };

  Oid parent;  ///< what the commit is compared with
  std::vector<ConfigDifference> differences;
  std::string equivalent;  ///< variant that does the same by boot arguments; empty: there is none
  Cause cause = Cause::unknown;
  std::string reason;           ///< what the cause is known from, or why it is not
  std::optional<double> value;  ///< median of the parent in the equivalent variant, in the unit
};

std::string_view to_string(ConfigChange::Cause cause);
std::optional<ConfigChange::Cause> config_cause_from(std::string_view word);

/// The end of a bisection.
struct Answer {
  enum class Kind { commit, set, none };
  Kind kind = Kind::none;
  std::vector<Commit> commits;                    ///< one, or the smallest set that holds it
  std::string reason;                             ///< why it is a set or nothing
  std::optional<double> effect;                   ///< bad over good minus 1: -0.94 is 94 % slower
  std::optional<double> effect_low, effect_high;  ///< its 95 % interval
  std::optional<double> confidence;    ///< probability of the answer under the model, 0..1
  std::optional<double> separation;    ///< the change in standard deviations of a boot
  std::optional<double> verified;      ///< effect seen when answer and parents were booted in turn
  int controls = 0;                    ///< boots made to see whether the ends' level had moved
  std::optional<double> two_changes;   ///< probability that the level changed more than once
  std::optional<double> rest;          ///< what is left of the difference, as an effect
  std::vector<FurtherAnswer> further;  ///< in the order in which they were found
  std::string search_for_more;         ///< how the search for more ended, where there was one
  std::optional<RevertOutcome> revert;
  std::optional<ConfigChange> config_change;  ///< of a single commit: the answer is config-induced
};

std::string_view to_string(Answer::Kind kind);

}  // namespace bisect_run
