#include "bisect/posterior.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bisect/posterior_answer.h"
#include "bisect/posterior_choice.h"
#include "bisect/posterior_course.h"

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
        whole_(graph_, settings_.set_back) {
    whole_.count({0});  // the longest count of all: while loading, not at the first choice
    model_ = fresh_model();
  }

  Action next(const Evidence& evidence) override;
  Conclusion give_up(const Evidence& evidence, const std::string& why) override;
  std::optional<Standing> standing(const Evidence& evidence) override;
  Assessment assess(const Evidence& evidence, Node node) override;
  Outlook outlook(const Evidence& evidence) override;
  std::vector<Node> prebuild(const Evidence& evidence, std::size_t count) override;

 private:
  std::unique_ptr<PosteriorModel> fresh_model() const {
    return std::make_unique<PosteriorModel>(graph_, settings_, whole_);
  }
  void learn(const Evidence& evidence);
  std::optional<Action> calibrate() const;
  std::optional<Action> control(const Course& course) const;
  Action search(const Evidence& evidence);
  SkipRisk risk() const;
  Course course() const { return follow(graph_, settings_, model_->steps(), failures_); }
  double suspicion(Node node) const;
  double boots_per_bit() const;

  Graph graph_;
  PosteriorSettings settings_;
  Classes whole_;  ///< before any boot
  std::unique_ptr<PosteriorModel> model_;
  std::map<Node, std::string> failures_;
};

/// Brings the model up to the evidence: only what is new, if the old part is the same.
void Posterior::learn(const Evidence& evidence) {
  const std::vector<BootFact> facts = boot_facts(evidence);
  const std::vector<Step>& known = model_->steps();
  const bool grown =
      known.size() <= facts.size() &&
      std::equal(known.begin(), known.end(), facts.begin(),
                 [](const Step& step, const BootFact& fact) { return step.boot == fact; });
  if (!grown) model_ = fresh_model();
  for (std::size_t i = model_->steps().size(); i < facts.size(); ++i) model_->add(facts[i]);
  failures_.clear();
  for (const Skipped& skip : evidence.skipped) failures_.emplace(skip.node, skip.reason);
}

std::optional<Action> Posterior::calibrate() const {
  for (Node end : {graph_.good(), graph_.bad()}) {
    const auto failed = failures_.find(end);
    if (failed == failures_.end()) continue;
    Conclusion conclusion;
    conclusion.kind = Conclusion::Kind::refused;
    conclusion.reason = fmt::format("{} cannot be tested: {}", end == graph_.bad() ? "BAD" : "GOOD",
                                    failed->second);
    return conclusion;
  }
  const auto holds = [](const std::vector<Node>& nodes, Node node) {
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
  };
  for (const std::vector<Node>& nodes : model_->build_nodes())
    if (holds(nodes, graph_.good()) && holds(nodes, graph_.bad())) {
      Conclusion conclusion;
      conclusion.kind = Conclusion::Kind::refused;
      conclusion.reason = "GOOD and BAD build the same kernel";
      return conclusion;
    }
  const Calibration& calibration = model_->calibration();
  if (calibration.state() == Calibration::State::refused) return refusal(calibration);
  if (calibration.state() == Calibration::State::apart) return std::nullopt;
  return BootNode{calibration.next_is_bad() ? graph_.bad() : graph_.good(),
                  fmt::format("calibration, pair {}", calibration.pairs() + 1)};
}

/// Drift since the last look at an end may have grown to matter (section 8).
std::optional<Action> Posterior::control(const Course& course) const {
  const Belief& belief = model_->belief();
  const double passed = model_->steps().back().boot.time_s - course.control_time_s;
  const double part = belief.change / kControlChange;
  if (belief.drift * passed <= std::max(kControlNoise * belief.sigma2, part * part))
    return std::nullopt;
  const Node end = course.controls % 2 == 0 ? graph_.good() : graph_.bad();
  return BootNode{end, "control: has the level of the ends moved?"};
}

SkipRisk Posterior::risk() const {
  std::vector<Node> failed;
  for (const auto& [node, reason] : failures_) failed.push_back(node);
  return SkipRisk(graph_, failed);
}

Action Posterior::search(const Evidence& evidence) {
  const SkipRisk skip_risk = risk();
  Choice choice(graph_, settings_, *model_, skip_risk, evidence.built);
  return choice.best();
}

Action Posterior::next(const Evidence& evidence) {
  learn(evidence);
  if (auto action = calibrate()) return *action;
  const Course now = course();
  switch (now.phase) {
    case Course::Phase::answered:
      return answer(graph_, *model_, failures_);
    case Course::Phase::spent:
      return undecided(*model_, fmt::format("undecided after {} boots: these commits hold 95 % of "
                                            "the probability",
                                            model_->steps().size()));
    case Course::Phase::verifying:
      return BootNode{now.next_witness, fmt::format("verification, boot {} of {}",
                                                    now.witness_round, settings_.verify_boots)};
    default:
      break;
  }
  if (auto action = control(now)) return *action;
  return search(evidence);
}

Conclusion Posterior::give_up(const Evidence& evidence, const std::string& why) {
  learn(evidence);
  if (const auto action = calibrate()) {
    if (const auto* refused = std::get_if<Conclusion>(&*action)) return *refused;
    Conclusion conclusion;
    conclusion.reason = why + ", and the ends are not told apart yet";
    return conclusion;
  }
  if (course().phase == Course::Phase::answered) return answer(graph_, *model_, failures_);
  return undecided(*model_, why + ": these commits hold 95 % of the probability");
}

std::optional<Standing> Posterior::standing(const Evidence& evidence) {
  learn(evidence);
  if (model_->calibration().state() != Calibration::State::apart) return std::nullopt;
  Standing standing;
  standing.open = undecided(*model_, "").nodes.size();
  const std::size_t k = model_->belief().heaviest();
  if (model_->classes()[k].commits.size() == 1) {
    standing.favourite = model_->classes()[k].commits.front();
    standing.favourite_mass = std::min(1.0, model_->belief().mass[k]);
  }
  return standing;
}

/// P(the node has the new level), for a probed node.
double Posterior::suspicion(Node node) const {
  const Classes& classes = model_->classes();
  double bad = 0;
  for (std::size_t k = 0; k < classes.size(); ++k)
    if (classes.bad(k, node)) bad += model_->belief().mass[k];
  return std::min(1.0, bad);
}

Assessment Posterior::assess(const Evidence& evidence, Node node) {
  learn(evidence);
  const auto failed = failures_.find(node);
  if (failed != failures_.end()) return {Outcome::skip, failed->second};
  if (model_->calibration().state() != Calibration::State::apart)
    return {Outcome::undecided, "the ends are not told apart yet"};
  if (node == graph_.good()) return {Outcome::good, "the good end"};
  if (node == graph_.bad()) return {Outcome::bad, "the bad end"};
  if (!model_->classes().probed(node)) return {Outcome::undecided, "not booted"};
  const double bad = suspicion(node);
  const std::string reason = fmt::format("P(bad) {:.4f}", bad);
  if (bad >= kSure) return {Outcome::bad, reason};
  if (bad <= 1 - kSure) return {Outcome::good, reason};
  return {Outcome::undecided, reason};
}

/// Boots for one bit: max(1, 25/d'^2) (section 7, step 5).
double Posterior::boots_per_bit() const {
  const bool apart = model_->calibration().state() == Calibration::State::apart;
  const stats::EndsLook& look = model_->calibration().look();
  const double change = apart ? model_->belief().change : look.delta;
  const double variance = apart ? model_->belief().sigma2 : look.sigma2;
  if (!(variance > 0) || !(change * change > 0)) return 1;
  return std::clamp(kUsualSeparation * variance / (change * change), 1.0,
                    static_cast<double>(settings_.most_boots));
}

Strategy::Outlook Posterior::outlook(const Evidence& evidence) {
  learn(evidence);
  Outlook outlook;
  const double candidates = graph_.size() - graph_.boundary();
  double bits = std::log2(std::max(1.0, candidates));
  double verification = 2.0 * settings_.verify_boots;
  const Calibration& calibration = model_->calibration();
  if (calibration.state() == Calibration::State::refused) return outlook;
  if (calibration.state() == Calibration::State::more) {
    const double made = static_cast<double>(model_->steps().size());
    outlook.boots = made < 10 ? 10 - made : 6;
    outlook.builds = 2.5 - static_cast<double>(model_->build_nodes().size());
  } else {
    const Course now = course();
    if (now.phase == Course::Phase::answered || now.phase == Course::Phase::spent) return outlook;
    bits = 0;
    for (std::size_t k = 0; k < model_->classes().size(); ++k) {
      const double mass = model_->belief().mass[k];
      if (mass > 0) bits += mass * std::log2(std::max(1.0, model_->classes()[k].weight) / mass);
    }
    if (now.phase == Course::Phase::verifying) verification = now.boots_to_verify;
  }
  outlook.builds = std::max(0.0, outlook.builds) + bits;
  outlook.boots += verification + 1.15 * bits * boots_per_bit();
  return outlook;
}

std::vector<Node> Posterior::prebuild(const Evidence& evidence, std::size_t count) {
  learn(evidence);
  if (calibrate()) return {};
  const Course now = course();
  if (now.phase != Course::Phase::searching) return {};
  const SkipRisk skip_risk = risk();
  Choice choice(graph_, settings_, *model_, skip_risk, evidence.built);
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
