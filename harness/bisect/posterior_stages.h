#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bisect/posterior_course.h"
#include "bisect/posterior_model.h"

namespace bisect_run::bisect {

/// What the changes found so far leave of the difference between the ends.
struct Rest {
  double delta = 0;
  double error = 0;  ///< standard error
};

/// Searches for one change after another. The first is sought as if there were no other; while what
/// is found does not explain the ends' difference, the next is sought beside those before it, with
/// all boots made so far (design.md, section 6: both ranges, before and after, are searched at
/// once, and side branches keep the level that they have).
///
/// Where a stage ends depends on the evidence alone; boots after the end of the last stage change
/// nothing.
class Stages {
 public:
  Stages(const Graph& graph, const PosteriorSettings& settings);

  /// Brings the models up to the evidence: only what is new, if the old part is the same.
  void learn(const Evidence& evidence);

  /// Forgets everything: the settings have changed.
  void restart();

  std::size_t size() const { return stages_.size(); }
  const PosteriorModel& model(std::size_t stage) const { return *stages_[stage].model; }
  PosteriorModel& last() { return *stages_.back().model; }
  const PosteriorModel& last() const { return *stages_.back().model; }
  /// Of a stage; those of all but the last have ended.
  Course course(std::size_t stage) const;
  Course course() const { return course(size() - 1); }
  /// Boots of the favourite and of each parent: one less than usual where the ends lie far apart.
  int verify_boots() const;
  const std::map<Node, std::string>& failures() const { return failures_; }
  /// Boots that the course of the last stage has seen.
  std::size_t boots() const { return last().steps().size(); }
  /// The changes found by the end of the last stage, each the first commit of its class; the first
  /// is the one of the first stage.
  std::vector<Node> found() const;
  /// What these leave; nothing before the first is found.
  std::optional<Rest> rest() const;

 private:
  struct Stage {
    std::unique_ptr<PosteriorModel> model;
    std::size_t from = 0;  ///< steps that belong to earlier stages
  };
  Stage first_stage() const;
  Stage stage_after(std::size_t stage) const;
  void advance(std::size_t stage, const std::vector<BootFact>& facts);
  bool searched_on() const;

  const Graph& graph_;
  const PosteriorSettings& settings_;
  std::unique_ptr<Classes> whole_;  ///< before any boot
  std::vector<Stage> stages_;
  std::map<Node, std::string> failures_;
};

}  // namespace bisect_run::bisect
