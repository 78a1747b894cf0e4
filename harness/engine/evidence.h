#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "bisect/strategy.h"
#include "model/commit.h"
#include "model/history.h"

// From recorded facts to what a strategy may see. Pure, so that verdicts can be recomputed.

namespace bisect_run::engine {

/// Which number decides, and which way is worse.
struct Question {
  std::string metric;
  std::int64_t mark = 0;
  bool higher_is_better = true;
  bool find_fix = false;  ///< the change sought is an improvement: BAD is the better end
};

/// y of statistics.md section 2: logarithm of the value, with the sign that makes BAD lower.
double to_y(const Question& question, double value);
/// The relative change of the value that a change of y means: bad over good minus 1.
double to_effect(const Question& question, double delta_y);

/// Why this kernel cannot be judged on this machine, or nothing: a build that failed, or boots
/// that failed twice and at least as often as they succeeded. Faults of the infrastructure do not
/// count. A boot that ended well but without a number for the question is a failed one; without a
/// question every number will do. With a `scenario_digest`, only boots that measured that scenario
/// count.
std::optional<std::string> skip_reason(const History& history, const std::string& key,
                                       const Machine& machine, const Question* question = nullptr,
                                       std::string_view scenario_digest = {});

/// Kernels that are the same machine code, started with the same boot arguments, have the same.
std::string identity(const Image& image);

/// Finds the node of a kernel. Kernels with patches or of another variant are no nodes of the
/// range.
class NodeIndex {
 public:
  /// An empty variant is any. `layouts` are variants whose kernels measure the same commits at
  /// other addresses.
  explicit NodeIndex(const Range& range, std::string variant = {},
                     std::vector<std::string> layouts = {});
  /// The node of a plain kernel.
  std::optional<bisect::Node> find(const KernelSpec& spec) const;
  /// The node of a kernel of any layout.
  std::optional<bisect::Node> find_any(const KernelSpec& spec) const;
  const std::vector<std::string>& layouts() const { return layouts_; }

 private:
  std::optional<bisect::Node> of_commit(const KernelSpec& spec) const;

  std::string variant_;
  std::vector<std::string> layouts_;
  std::unordered_map<std::string, bisect::Node> nodes_;
};

/// What builds and boots of this run took on average, but for the first build, which has no objects
/// to start from; nothing before two kernels were built (not found in the cache) and one was
/// booted.
std::optional<bisect::Prices> prices_of(const History& history);

/// Observations of all boots that count. A kernel whose signature and boot arguments equal those
/// of another shares its boots. At most one build record a kernel is expected in `history`. What
/// was booted since a revert test began is no evidence. A kernel of another layout that fails says
/// nothing about its commit.
bisect::Evidence gather(const History& history, const NodeIndex& index, const Machine& machine,
                        const Question& question);

/// The variant that an action's `layout` stands for: that of the node's kernel which was booted as
/// the layout-th, or else one that was built and not booted, or not built yet. Nothing for the plain
/// kernel, and where all were tried.
std::optional<std::string> layout_of(const bisect::BootNode& action, const History& history,
                                     const NodeIndex& index, const bisect::Evidence& evidence);

}  // namespace bisect_run::engine
