#pragma once

#include <vector>

#include "bisect/graph.h"
#include "bisect/readings.h"
#include "bisect/three_way.h"
#include "bisect/three_way_levels.h"

namespace bisect_run::bisect {

/// Everything the three-way rule derives from one state of the evidence.
class ThreeWayView {
 public:
  /// `limit` is that of liken(). Graph and settings must outlive the view.
  ThreeWayView(const Graph& graph, const ThreeWaySettings& settings, double limit,
               const Evidence& evidence);

  const Readings& readings() const { return readings_; }
  const EndsTest& ends() const { return ends_; }
  bool calibrated() const { return ends_.state == EndsTest::State::apart; }
  const Levels& levels() const { return levels_; }  ///< once calibrated

  /// The ends are what they were called; every other commit is tested.
  Likeness likeness(Node node) const;
  /// No verdict, and no boots left to get one.
  bool spent(Node node) const;
  /// Boots made after the node was first decided.
  int confirmations(Node node) const;
  /// Parents of `members`, outside of it, that were measured and are like GOOD.
  std::vector<Node> good_parents(const NodeSet& members) const;

  /// The answer `members`, of which `top` is the bad commit that holds the others. An empty reason
  /// makes a single member a named commit.
  Conclusion conclude(const NodeSet& members, Node top, std::string reason) const;

 private:
  void add_effect(Node top, const std::vector<Node>& parents, Conclusion& conclusion) const;

  const Graph& graph_;
  const ThreeWaySettings& settings_;
  double limit_;
  Readings readings_;
  EndsTest ends_;
  Levels levels_;
};

}  // namespace bisect_run::bisect
