#include "bisect/posterior_stages.h"

#include <algorithm>
#include <cmath>

namespace bisect_run::bisect {
namespace {

constexpr double kClearly = 2;  // standard errors of the rest

/// The steps are those of the first facts.
bool agree(const std::vector<Step>& steps, const std::vector<BootFact>& facts) {
  return steps.size() <= facts.size() &&
         std::equal(steps.begin(), steps.end(), facts.begin(),
                    [](const Step& step, const BootFact& fact) { return step.boot == fact; });
}

}  // namespace

Stages::Stages(const Graph& graph, const PosteriorSettings& settings)
    : graph_(graph), settings_(settings) {
  restart();
}

void Stages::restart() {
  whole_ = std::make_unique<Classes>(graph_, settings_.set_back);
  whole_->count({0});  // the longest count of all: while loading, not at the first choice
  stages_.clear();
  stages_.push_back(first_stage());
}

Stages::Stage Stages::first_stage() const {
  return {std::make_unique<PosteriorModel>(graph_, settings_, *whole_), 0};
}

/// What begins where that stage ended with an answer.
Stages::Stage Stages::stage_after(std::size_t stage) const {
  auto next = std::make_unique<PosteriorModel>(model(stage));
  next->take_as_known(next->classes()[next->belief().heaviest()].commits.front());
  return {std::move(next), course(stage).ended_at - 1};
}

Course Stages::course(std::size_t stage) const {
  const Stage& of = stages_[stage];
  PosteriorSettings settings = settings_;
  settings.verify_boots = verify_boots();
  return follow(graph_, settings, of.model->steps(), failures_, of.from);
}

int Stages::verify_boots() const {
  const bool far_apart = stages_.front().model->calibration().far_apart();
  return std::max(1, settings_.verify_boots - (far_apart ? 1 : 0));
}

void Stages::learn(const Evidence& evidence) {
  const std::vector<BootFact> facts = boot_facts(evidence);
  failures_.clear();
  for (const Skipped& skip : evidence.skipped) failures_.emplace(skip.node, skip.reason);
  if (!agree(last().steps(), facts)) {
    stages_.clear();
    stages_.push_back(first_stage());
  }
  for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
    advance(stage, facts);
    // A failure learnt later may end an earlier stage elsewhere: then what came after it is void.
    const Course ended = course(stage);
    const bool goes_on = stage + 1 < stages_.size() && ended.phase == Course::Phase::answered &&
                         stages_[stage + 1].from + 1 == ended.ended_at;
    if (goes_on) continue;
    stages_.resize(stage + 1);
    if (!searched_on()) break;
    stages_.push_back(stage_after(stage));
  }
}

/// Adds boots until the stage ends or there are no more.
void Stages::advance(std::size_t stage, const std::vector<BootFact>& facts) {
  Stage& of = stages_[stage];
  Course now = course(stage);
  if (now.ended_at > 0 && now.ended_at < of.model->steps().size()) {
    stages_.resize(stage + 1);
    of = stage == 0 ? first_stage() : stage_after(stage - 1);
    now = course(stage);
  }
  while (now.ended_at == 0 && of.model->steps().size() < facts.size()) {
    of.model->add(facts[of.model->steps().size()]);
    now = course(stage);
  }
}

std::vector<Node> Stages::found() const {
  std::vector<Node> changes = last().known();
  if (course().phase != Course::Phase::answered) return changes;
  const Classes::Class& answer = last().classes()[last().belief().heaviest()];
  if (!answer.commits.empty()) changes.push_back(answer.commits.front());
  return changes;
}

/// The newest change has the size that the belief gives it, which allows for yet another one.
std::optional<Rest> Stages::rest() const {
  const std::vector<Node> changes = found();
  if (changes.empty()) return std::nullopt;
  std::vector<ChangeSize> sizes = last().sizes(changes);
  if (changes.size() > last().known().size()) {
    const std::size_t newest = last().belief().heaviest();
    sizes.back() = {last().belief().delta[newest], last().belief().delta_var[newest]};
  }
  const stats::EndsLook ends = last().ends();
  Rest rest{ends.delta, ends.error * ends.error};
  for (const ChangeSize& size : sizes) {
    rest.delta -= size.delta;
    rest.error += size.variance;
  }
  rest.error = std::sqrt(rest.error);
  return rest;
}

/// Whether the last stage found a change that leaves enough to look for another one.
bool Stages::searched_on() const {
  if (!settings_.search_on || course().phase != Course::Phase::answered) return false;
  if (found().size() != stages_.size() || boots() >= static_cast<std::size_t>(settings_.most_boots))
    return false;
  const auto left = rest();
  return left && std::abs(left->delta) > settings_.min_effect &&
         (std::abs(left->delta) > kClearly * left->error || last().belief().two_changes > 0.5);
}

}  // namespace bisect_run::bisect
