#pragma once

#include <string>
#include <vector>

#include "bisect/posterior_model.h"
#include "bisect/skip_risk.h"

namespace bisect_run::bisect {

/// The next boot of the search, as the one that promises most bits per second (statistics.md,
/// section 8).
class Choice {
 public:
  Choice(const Graph& graph, const PosteriorSettings& settings, PosteriorModel& model,
         const SkipRisk& risk, const Evidence& evidence);

  /// The best action, or, where none promises anything, a boot beside the heaviest class.
  BootNode best();
  /// Unprobed commits at the quantiles 1/(count+1) … of the posterior (section 13).
  std::vector<Node> quantiles(std::size_t count) const;
  /// P(the node has the new level).
  double bad(Node node) const { return bad_[node]; }
  bool best_is_new() const { return best_is_new_; }  ///< after best(): it needs a new plain build

 private:
  enum class Kind { none, fresh, unbooted, again, layout };
  struct Option {
    Kind kind = Kind::none;
    Node node = 0;
    std::uint32_t layout = 0;
    double boots = 0;  ///< made so far
    double bits = 0;   ///< promised
    double rate = 0;   ///< bits per second
  };
  void weigh_suspicion(PosteriorModel& model);
  bool untried(Node node) const;
  std::vector<Node> candidates_in(const Classes::Class& in) const;
  void try_new(Node node);
  void try_unbooted(Node node);
  void try_again(std::size_t build, std::uint32_t layout);
  void try_layout(Node node, std::uint32_t builds);
  void try_probed();
  void offer(const Option& option);
  BootNode describe(const Option& option) const;
  BootNode inside_favourite() const;
  BootNode beside_favourite() const;

  const Graph& graph_;
  const PosteriorSettings& settings_;
  const PosteriorModel& model_;
  const SkipRisk& risk_;
  Prices prices_;
  std::vector<Node> built_;
  std::vector<double> bad_;
  double change_, variance_, luck_;
  bool layouts_fail_;
  Option best_;
  bool best_is_new_ = false;
};

}  // namespace bisect_run::bisect
