#include "engine/findings.h"

#include <utility>

namespace bisect_run::engine {
namespace {

Answer::Kind answer_kind(bisect::Conclusion::Kind kind) {
  switch (kind) {
    case bisect::Conclusion::Kind::commit:
      return Answer::Kind::commit;
    case bisect::Conclusion::Kind::set:
      return Answer::Kind::set;
    case bisect::Conclusion::Kind::none:
    case bisect::Conclusion::Kind::refused:
      return Answer::Kind::none;
  }
  return Answer::Kind::none;
}

std::vector<Commit> commits_of(const std::vector<bisect::Node>& nodes, const Range& range) {
  std::vector<Commit> commits;
  for (const auto node : nodes) commits.push_back(range.nodes[node]);
  return commits;
}

FurtherAnswer further_from(const bisect::FurtherChange& change, const Range& range,
                           const Question& question) {
  FurtherAnswer further{.commits = commits_of(change.nodes, range),
                        .before = change.before,
                        .reason = change.reason,
                        .effect = to_effect(question, change.delta),
                        .effect_low = to_effect(question, change.delta_low),
                        .effect_high = to_effect(question, change.delta_high),
                        .confidence = change.confidence};
  if (further.effect_low > further.effect_high) std::swap(further.effect_low, further.effect_high);
  return further;
}

}  // namespace

RunStatus status_of(bisect::Conclusion::Kind kind) {
  switch (kind) {
    case bisect::Conclusion::Kind::commit:
      return RunStatus::answered;
    case bisect::Conclusion::Kind::set:
    case bisect::Conclusion::Kind::none:
      return RunStatus::unanswered;
    case bisect::Conclusion::Kind::refused:
      return RunStatus::refused;
  }
  return RunStatus::failed;
}

Answer answer_from(const bisect::Conclusion& conclusion, const Range& range,
                   const Question& question) {
  const auto effect = [&](std::optional<double> delta) {
    return delta ? std::optional(to_effect(question, *delta)) : std::nullopt;
  };
  Answer answer;
  answer.kind = answer_kind(conclusion.kind);
  answer.commits = commits_of(conclusion.nodes, range);
  answer.reason = conclusion.reason;
  answer.confidence = conclusion.confidence;
  answer.effect = effect(conclusion.delta);
  answer.effect_low = effect(conclusion.delta_low);
  answer.effect_high = effect(conclusion.delta_high);
  if (answer.effect_low && answer.effect_high && *answer.effect_low > *answer.effect_high)
    std::swap(answer.effect_low, answer.effect_high);
  answer.separation = conclusion.separation;
  answer.verified = effect(conclusion.verified);
  answer.controls = static_cast<int>(conclusion.controls);
  answer.two_changes = conclusion.two_changes;
  answer.rest = effect(conclusion.rest);
  for (const auto& change : conclusion.further)
    answer.further.push_back(further_from(change, range, question));
  answer.search_for_more = conclusion.search_for_more;
  return answer;
}

}  // namespace bisect_run::engine
