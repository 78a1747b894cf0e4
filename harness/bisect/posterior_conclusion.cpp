#include "bisect/posterior_conclusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bisect/posterior_answer.h"
#include "stats/distributions.h"
#include "stats/effect.h"

namespace bisect_run::bisect {
namespace {

constexpr double kMostDoubt = 0.05;  // mass of no further change, where a set of commits is named

FurtherChange further_from(const Conclusion& found) {
  return {.nodes = found.nodes,
          .before = false,
          .reason = found.kind == Conclusion::Kind::commit ? "" : found.reason,
          .delta = found.delta.value_or(0),
          .delta_low = found.delta_low.value_or(0),
          .delta_high = found.delta_high.value_or(0),
          .confidence = found.confidence.value_or(0)};
}

/// Every change beside all others.
void resize(Conclusion& conclusion, const PosteriorModel& model, const std::vector<Node>& changes) {
  const double freedom =
      2 * model.calibration().prior().a0 + static_cast<double>(model.steps().size());
  const double quantile = stats::student_quantile(0.975, freedom).value_or(2);
  const std::vector<ChangeSize> sizes = model.sizes(changes);
  for (std::size_t i = 0; i < sizes.size() && i <= conclusion.further.size(); ++i) {
    const double half = quantile * std::sqrt(sizes[i].variance);
    const double low = sizes[i].delta - half, high = sizes[i].delta + half;
    if (i == 0) {
      conclusion.delta = sizes[i].delta;
      conclusion.delta_low = low;
      conclusion.delta_high = high;
    } else {
      FurtherChange& change = conclusion.further[i - 1];
      change.delta = sizes[i].delta;
      change.delta_low = low;
      change.delta_high = high;
    }
  }
}

/// Why a stage that has ended has no answer.
std::string open_text(const Stages& stages, Course::Phase phase) {
  const auto* why = phase == Course::Phase::banded
                        ? ", since boots of one and the same kernel lie at two levels"
                        : "";
  return fmt::format("undecided after {} boots{}: these commits hold 95 % of the probability",
                     stages.boots(), why);
}

bool is_open(Course::Phase phase) {
  return phase == Course::Phase::spent || phase == Course::Phase::banded;
}

/// The change between the boots of the answer and of its parents in the last verification.
std::optional<double> seen_in_verification(const Graph& graph, const Stages& stages, Node answer) {
  const Course course = stages.course(0);
  const std::vector<Step>& steps = stages.model(0).steps();
  const auto parents = graph.parents(answer);
  std::vector<double> before, after;
  for (std::size_t i = course.verified_from; i < course.verified_to; ++i)
    for (Node node : steps[i].boot.nodes) {
      if (node == answer) after.push_back(steps[i].boot.y);
      if (std::find(parents.begin(), parents.end(), node) != parents.end())
        before.push_back(steps[i].boot.y);
    }
  const auto change = stats::difference(before, after);
  return change ? std::optional(change->value) : std::nullopt;
}

/// How the search of the last stage ended.
std::string outcome_of(const Stages& stages) {
  const auto phase = stages.course().phase;
  if (phase == Course::Phase::nothing)
    return fmt::format("no further commit changes the level (probability {:.1f} %)",
                       100 * stages.last().belief().nothing);
  if (is_open(phase)) return fmt::format("no end after {} boots in all", stages.boots());
  return "";
}

void add_further(const Graph& graph, const Stages& stages, Conclusion& conclusion) {
  for (std::size_t stage = 1; stage < stages.size(); ++stage) {
    const PosteriorModel& model = stages.model(stage);
    const auto phase = stages.course(stage).phase;
    if (phase == Course::Phase::answered)
      conclusion.further.push_back(further_from(answer(graph, model, stages.failures())));
    else if (is_open(phase) && model.belief().nothing < kMostDoubt)
      conclusion.further.push_back(further_from(undecided(model, open_text(stages, phase))));
  }
  const std::vector<Node> changes = stages.found();
  resize(conclusion, stages.last(), changes);
  const NodeSet below = graph.ancestors(changes.front());
  for (FurtherChange& change : conclusion.further)
    change.before = below.contains(change.nodes.front());
  if (conclusion.kind == Conclusion::Kind::commit && !conclusion.further.empty())
    conclusion.reason.clear();  // the further changes say it better
  conclusion.search_for_more = outcome_of(stages);
}

}  // namespace

Conclusion conclude(const Graph& graph, const Stages& stages) {
  const auto phase = stages.course().phase;
  if (stages.size() == 1 && phase != Course::Phase::answered)
    return undecided(stages.model(0), open_text(stages, phase));
  Conclusion conclusion = answer(graph, stages.model(0), stages.failures());
  const Belief& belief = stages.model(0).belief();
  if (belief.sigma2 > 0 && conclusion.delta)
    conclusion.separation = std::abs(*conclusion.delta) / std::sqrt(belief.sigma2);
  if (conclusion.kind == Conclusion::Kind::commit)
    conclusion.verified = seen_in_verification(graph, stages, conclusion.nodes.front());
  conclusion.controls = stages.course().controls;
  if (stages.size() > 1) add_further(graph, stages, conclusion);
  if (const auto rest = stages.rest()) {
    conclusion.rest = rest->delta;
    conclusion.rest_error = rest->error;
  }
  return conclusion;
}

}  // namespace bisect_run::bisect
