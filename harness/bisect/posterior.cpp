#include "bisect/posterior.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bisect/posterior_answer.h"
#include "bisect/posterior_choice.h"
#include "bisect/posterior_conclusion.h"
#include "bisect/posterior_stages.h"

namespace bisect_run::bisect {
namespace {

constexpr double kControlNoise = 0.03;   // of sigma^2
constexpr double kControlChange = 20;    // of Delta
constexpr double kSure = 0.99;           // P(bad) at which one commit counts as good or bad
constexpr double kUsualSeparation = 25;  // (Delta/sigma)^2 where one boot a bit is enough

class Posterior final : public Strategy {
 public:
  Posterior(Graph graph, PosteriorSettings settings)
      : graph_(std::move(graph)),
        settings_(std::move(settings)),
        always_back_(settings_.set_back),
        stages_(graph_, settings_) {}

  Action next(const Evidence& evidence) override;
  Conclusion give_up(const Evidence& evidence, const std::string& why) override;
  std::optional<Standing> standing(const Evidence& evidence) override;
  Assessment assess(const Evidence& evidence, Node node) override;
  Outlook outlook(const Evidence& evidence) override;
  std::vector<Node> prebuild(const Evidence& evidence, std::size_t count) override;
  std::vector<double> masses(const Evidence& evidence) override;
  void set_back(const NodeSet& nodes) override;

 private:
  const PosteriorModel& model() const { return stages_.last(); }
  std::optional<Action> calibrate() const;
  std::optional<Action> control(const Course& course) const;
  Action search(const Evidence& evidence);
  SkipRisk risk() const;
  double suspicion(Node node) const;
  double boots_per_bit() const;

  Graph graph_;
  PosteriorSettings settings_;
  const NodeSet always_back_;  ///< what the settings set back from the beginning
  Stages stages_;
};

void Posterior::set_back(const NodeSet& nodes) {
  NodeSet all = always_back_.size() > 0 ? always_back_ : nodes;
  if (nodes.size() == all.size()) all |= nodes;
  if (all == settings_.set_back) return;
  settings_.set_back = std::move(all);
  stages_.restart();
}

/// Within a class all commits are alike.
std::vector<double> Posterior::masses(const Evidence& evidence) {
  stages_.learn(evidence);
  const PosteriorModel& of_first = stages_.model(0);  // the largest change
  if (of_first.calibration().state() != Calibration::State::apart) return {};
  std::vector<double> masses(graph_.size(), 0.0);
  for (std::size_t k = 0; k < of_first.classes().size(); ++k) {
    const auto& commits = of_first.classes()[k].commits;
    for (const Node node : commits)
      masses[node] = of_first.belief().mass[k] / static_cast<double>(commits.size());
  }
  return masses;
}

std::optional<Action> Posterior::calibrate() const {
  for (Node end : {graph_.good(), graph_.bad()}) {
    const auto failed = stages_.failures().find(end);
    if (failed == stages_.failures().end()) continue;
    Conclusion conclusion;
    conclusion.kind = Conclusion::Kind::refused;
    conclusion.reason = fmt::format("{} cannot be tested: {}", end == graph_.bad() ? "BAD" : "GOOD",
                                    failed->second);
    return conclusion;
  }
  const auto holds = [](const std::vector<Node>& nodes, Node node) {
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
  };
  for (const std::vector<Node>& nodes : model().build_nodes())
    if (holds(nodes, graph_.good()) && holds(nodes, graph_.bad())) {
      Conclusion conclusion;
      conclusion.kind = Conclusion::Kind::refused;
      conclusion.reason = "GOOD and BAD build the same kernel";
      return conclusion;
    }
  const Calibration& calibration = model().calibration();
  if (calibration.state() == Calibration::State::refused) return refusal(calibration);
  if (calibration.state() == Calibration::State::apart) return std::nullopt;
  return BootNode{calibration.next_is_bad() ? graph_.bad() : graph_.good(),
                  fmt::format("calibration, pair {}", calibration.pairs() + 1)};
}

/// Drift since the last look at an end may have grown to matter (section 8).
std::optional<Action> Posterior::control(const Course& course) const {
  const Belief& belief = model().belief();
  const double passed = model().steps().back().boot.time_s - course.control_time_s;
  const double part = belief.change / kControlChange;
  if (belief.drift * passed <= std::max(kControlNoise * belief.sigma2, part * part))
    return std::nullopt;
  const Node end = course.controls % 2 == 0 ? graph_.good() : graph_.bad();
  return BootNode{end, "control: has the level of the ends moved?"};
}

SkipRisk Posterior::risk() const {
  std::vector<Node> failed;
  for (const auto& [node, reason] : stages_.failures()) failed.push_back(node);
  return SkipRisk(graph_, failed);
}

Action Posterior::search(const Evidence& evidence) {
  const SkipRisk skip_risk = risk();
  Choice choice(graph_, settings_, stages_.last(), skip_risk, evidence);
  return choice.best();
}

Action Posterior::next(const Evidence& evidence) {
  stages_.learn(evidence);
  if (auto action = calibrate()) return *action;
  const Course now = stages_.course();
  switch (now.phase) {
    case Course::Phase::answered:
    case Course::Phase::nothing:
    case Course::Phase::banded:
    case Course::Phase::spent:
      return conclude(graph_, stages_);
    case Course::Phase::verifying:
      return BootNode{now.next_witness, fmt::format("verification, boot {} of {}",
                                                    now.witness_round, stages_.verify_boots())};
    default:
      break;
  }
  if (auto action = control(now)) return *action;
  return search(evidence);
}

Conclusion Posterior::give_up(const Evidence& evidence, const std::string& why) {
  stages_.learn(evidence);
  if (const auto action = calibrate()) {
    if (const auto* refused = std::get_if<Conclusion>(&*action)) return *refused;
    Conclusion conclusion;
    conclusion.reason = why + ", and the ends are not told apart yet";
    return conclusion;
  }
  const bool answered = stages_.size() > 1 || stages_.course().phase == Course::Phase::answered;
  if (!answered) return undecided(model(), why + ": these commits hold 95 % of the probability");
  auto conclusion = conclude(graph_, stages_);
  if (conclusion.search_for_more.empty()) conclusion.search_for_more = why;
  return conclusion;
}

std::optional<Standing> Posterior::standing(const Evidence& evidence) {
  stages_.learn(evidence);
  const PosteriorModel& first = stages_.model(0);
  if (first.calibration().state() != Calibration::State::apart) return std::nullopt;
  Standing standing;
  standing.open = undecided(first, "").nodes.size();
  const std::size_t k = first.belief().heaviest();
  if (first.classes()[k].commits.size() == 1) {
    standing.favourite = first.classes()[k].commits.front();
    standing.favourite_mass = std::min(1.0, first.belief().mass[k]);
  }
  return standing;
}

/// P(the node has the new level), for a probed node. Once the first change is found, the question
/// is settled, whatever else is sought.
double Posterior::suspicion(Node node) const {
  const Classes& classes = model().classes();
  double bad = 0;
  for (std::size_t k = 0; !model().known().empty() && k < classes.size(); ++k)
    if (classes[k].members.contains(model().known().front())) return classes.bad(k, node) ? 1 : 0;
  for (std::size_t k = 0; k < classes.size(); ++k)
    if (classes.bad(k, node)) bad += model().belief().mass[k];
  return std::min(1.0, bad);
}

Assessment Posterior::assess(const Evidence& evidence, Node node) {
  stages_.learn(evidence);
  const auto failed = stages_.failures().find(node);
  if (failed != stages_.failures().end()) return {Outcome::skip, failed->second};
  if (model().calibration().state() != Calibration::State::apart)
    return {Outcome::undecided, "the ends are not told apart yet"};
  if (node == graph_.good()) return {Outcome::good, "the good end"};
  if (node == graph_.bad()) return {Outcome::bad, "the bad end"};
  if (!model().classes().probed(node)) return {Outcome::undecided, "not booted"};
  const double bad = suspicion(node);
  const std::string reason = fmt::format("P(bad) {:.4f}", bad);
  if (bad >= kSure) return {Outcome::bad, reason};
  if (bad <= 1 - kSure) return {Outcome::good, reason};
  return {Outcome::undecided, reason};
}

/// Boots for one bit: max(1, 25/d'^2) (section 7, step 5).
double Posterior::boots_per_bit() const {
  const bool apart = model().calibration().state() == Calibration::State::apart;
  const stats::EndsLook& look = model().calibration().look();
  const double change = apart ? model().belief().change : look.delta;
  const double variance = apart ? model().belief().sigma2 : look.sigma2;
  if (!(variance > 0) || !(change * change > 0)) return 1;
  return std::clamp(kUsualSeparation * variance / (change * change), 1.0,
                    static_cast<double>(settings_.most_boots));
}

Strategy::Outlook Posterior::outlook(const Evidence& evidence) {
  stages_.learn(evidence);
  Outlook outlook;
  const double candidates = graph_.size() - graph_.boundary();
  double bits = std::log2(std::max(1.0, candidates));
  double verification = 2.0 * stages_.verify_boots();
  const Calibration& calibration = model().calibration();
  if (calibration.state() == Calibration::State::refused) return outlook;
  if (calibration.state() == Calibration::State::more) {
    const double made = static_cast<double>(model().steps().size());
    outlook.boots = made < 10 ? 10 - made : 6;
    outlook.builds = 2.5 - static_cast<double>(model().build_nodes().size());
  } else {
    const Course now = stages_.course();
    if (now.ended_at > 0) return outlook;
    bits = 0;
    for (std::size_t k = 0; k < model().classes().size(); ++k) {
      const double mass = model().belief().mass[k];
      if (mass > 0) bits += mass * std::log2(std::max(1.0, model().classes()[k].weight) / mass);
    }
    if (now.phase == Course::Phase::verifying) verification = now.boots_to_verify;
  }
  outlook.builds = std::max(0.0, outlook.builds) + bits;
  outlook.boots += verification + 1.15 * bits * boots_per_bit();
  return outlook;
}

std::vector<Node> Posterior::prebuild(const Evidence& evidence, std::size_t count) {
  stages_.learn(evidence);
  if (calibrate()) return {};
  const Course now = stages_.course();
  if (now.phase != Course::Phase::searching) return {};
  const SkipRisk skip_risk = risk();
  Choice choice(graph_, settings_, stages_.last(), skip_risk, evidence);
  choice.best();
  if (!choice.best_is_new()) return {};
  return choice.quantiles(count);
}

}  // namespace

std::unique_ptr<Strategy> make_posterior(Graph graph, PosteriorSettings settings) {
  return std::make_unique<Posterior>(std::move(graph), std::move(settings));
}

std::unique_ptr<Strategy> make_posterior(const Range& range, PosteriorSettings settings) {
  return make_posterior(Graph(range), std::move(settings));
}

}  // namespace bisect_run::bisect
