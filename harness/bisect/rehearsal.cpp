#include "bisect/rehearsal.h"

#include <cmath>
#include <map>
#include <random>
#include <variant>
#include <vector>

namespace bisect_run::bisect {
namespace {

constexpr double kDriftSpan = 8 * 3600;

/// The node and everything made from it.
std::vector<bool> descendants(const Graph& graph, Node node) {
  std::vector<bool> has(graph.size(), false);
  has[node] = true;
  for (Node at = node; at < graph.size(); ++at)
    for (const Node parent : graph.parents(at)) has[at] = has[at] || has[parent];
  return has;
}

class Play {
 public:
  Play(const Graph& graph, const Stage& stage)
      : stage_(stage), changed_(descendants(graph, stage.culprit)), random_(stage.seed) {}

  void make(const BootNode& action) {
    const std::pair kernel{action.node, action.layout};
    if (!builds_.contains(kernel)) {
      builds_.emplace(kernel, static_cast<std::uint32_t>(builds_.size()));
      if (action.layout == 0) evidence.built.push_back(action.node);
      ++outlay.builds;
      pass(stage_.build_s);
    }
    ++outlay.boots;
    pass(stage_.boot_s);
    const double level = changed_[action.node] ? stage_.change : 0;
    evidence.boots.push_back({.node = action.node,
                              .build = builds_.at(kernel),
                              .y = level + drift_ + stage_.sigma * normal_(random_),
                              .time_s = outlay.seconds});
  }

  Evidence evidence;
  Outlay outlay;

 private:
  void pass(double seconds) {
    outlay.seconds += seconds;
    drift_ += stage_.drift * std::sqrt(seconds / kDriftSpan) * normal_(random_);
  }

  const Stage& stage_;
  std::vector<bool> changed_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::map<std::pair<Node, std::uint32_t>, std::uint32_t> builds_;
  double drift_ = 0;
};

}  // namespace

Outlay rehearse(Strategy& strategy, const Graph& graph, const Stage& stage,
                const std::function<bool()>& stop) {
  Play play(graph, stage);
  while (!stop()) {
    const Action action = strategy.next(play.evidence);
    if (std::holds_alternative<Conclusion>(action)) {
      play.outlay.finished = true;
      break;
    }
    play.make(std::get<BootNode>(action));
  }
  return play.outlay;
}

}  // namespace bisect_run::bisect
