#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/verdict.h"

// What every way of deciding looks like to the engine: from all facts so far to the next action.
// A strategy is pure: the same evidence gives the same action, so a resumed run goes on as if it
// had never stopped.

namespace bisect_run::bisect {

class NodeSet;

/// Index into Range::nodes.
using Node = std::uint32_t;

/// One boot that counts, reduced to one number. A boot counts for every node whose image has the
/// signature of the one that ran: it is listed once for each such node, with equal build and time.
struct Observation {
  Node node = 0;
  std::uint32_t build = 0;  ///< equal for boots of the same image (or of equal signature)
  double y = 0;             ///< natural logarithm; the new level (BAD) is expected to be lower
  double time_s = 0;        ///< end of the boot, on the run's clock
  bool shared =
      false;  ///< a copy: the boot was another node's, whose kernel has the same signature
};

struct Skipped {
  Node node = 0;
  std::string reason;
};

/// What a build and a boot with its measurements take; only the proportion matters.
struct Prices {
  double build_s = 240;
  double boot_s = 30;
};

struct Evidence {
  std::vector<Observation> boots;  ///< in the order of time
  std::vector<Skipped> skipped;
  std::vector<Node> built;    ///< nodes with an image, booted or not
  bool layouts_fail = false;  ///< a kernel of another code layout failed: no further ones are made
  std::optional<Prices> prices = {};  ///< as this run has found them; nothing: not known yet
};

/// Build the node's kernel if that has not been done, and boot it once more.
struct BootNode {
  Node node = 0;
  std::string why;  ///< for the probe log: one clause
  /// Which kernel of the node: 0 the plain one, above it the one of another code layout, made if
  /// it does not exist yet. Builds of a node are numbered in the order of their first boot. Never
  /// above 0 unless the strategy was told that the lab can make layouts.
  std::uint32_t layout = 0;
};

/// A change beside the answer's, found in what that one leaves of the ends' difference.
struct FurtherChange {
  std::vector<Node> nodes;  ///< the one, or the smallest set that holds it, in topological order
  bool before = false;      ///< the answer comes after it
  std::string reason;       ///< why it is a set
  double delta = 0, delta_low = 0, delta_high = 0;  ///< change of y, 95 % interval
  double confidence = 0;
};

/// Nothing more is to be done.
struct Conclusion {
  enum class Kind { commit, set, none, refused };
  Kind kind = Kind::none;
  std::vector<Node> nodes;  ///< the one, or the smallest set that holds it, in topological order
  std::string reason;       ///< why it is a set, nothing, or refused
  std::optional<double> delta, delta_low, delta_high;  ///< change of y at the answer, 95 % interval
  std::optional<double> confidence;
  std::optional<double> separation;  ///< the change in standard deviations of a boot
  /// The change seen when the answer and its parents were booted again in turn.
  std::optional<double> verified;
  std::size_t controls = 0;  ///< boots of the ends made to see whether their level has moved
  std::optional<double> two_changes;  ///< probability that the level changed more than once
  /// What the answer leaves of the difference between the ends, with its standard error.
  std::optional<double> rest, rest_error;
  std::vector<FurtherChange> further;  ///< in the order in which they were found
  std::string search_for_more;         ///< what became of it, where the rest was worth one
  /// A probed commit whose level lies clearly between the two: a hint at a second change.
  std::optional<Node> in_between;
};

using Action = std::variant<BootNode, Conclusion>;

/// What is thought of one node at this moment.
struct Assessment {
  Outcome outcome = Outcome::undecided;
  std::string reason;
};

/// What is believed of the commit that is sought.
struct Standing {
  std::size_t open = 0;           ///< commits in the smallest set that holds 95 %
  std::optional<Node> favourite;  ///< the most likely commit, where one stands out
  double favourite_mass = 0;
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual Action next(const Evidence& evidence) = 0;
  /// The best answer from what is there, for a search that may not go on.
  virtual Conclusion give_up(const Evidence& evidence, const std::string& why) = 0;
  /// Nothing while the ends are not told apart.
  virtual std::optional<Standing> standing(const Evidence&) { return std::nullopt; }
  virtual Assessment assess(const Evidence& evidence, Node node) = 0;
  /// How many more builds and boots are expected, for progress and `plan`.
  struct Outlook {
    double builds = 0, boots = 0;
  };
  virtual Outlook outlook(const Evidence& evidence) = 0;
  /// The probability of each node to be the one, for reports; empty before the ends are told apart
  /// and from a strategy that has none.
  virtual std::vector<double> masses(const Evidence&) { return {}; }
  /// Where the next action needs a build and several can be made at once: at most `count` nodes to
  /// build together in place of that one, before `next` is asked again. Else empty.
  virtual std::vector<Node> prebuild(const Evidence&, std::size_t /*count*/) { return {}; }
  /// These commits are unlikely to matter, as far as is known now; the others are as they were made
  /// with. What the strategy thinks is then as if it had known from the beginning.
  virtual void set_back(const NodeSet&) {}
};

}  // namespace bisect_run::bisect
