#include "report/answer_words.h"

#include <fmt/format.h>

#include "report/numbers.h"

namespace bisect_run::report {

std::string heading_words(const BisectFacts& facts) {
  const auto* what =
      facts.find_fix ? "first commit with the better level" : "first commit with the new level";
  if (!facts.answer) {
    if (facts.run.status == RunStatus::running) return "no answer yet";
    return fmt::format("no answer: {}", to_string(facts.run.status));
  }
  switch (facts.answer->kind) {
    case Answer::Kind::commit:
      return what;
    case Answer::Kind::set:
      if (facts.answer->commits.size() == 1)
        return fmt::format("{}: probably this one, not confirmed", what);
      return fmt::format("{}: one of these {}", what, facts.answer->commits.size());
    case Answer::Kind::none:
      return facts.run.status == RunStatus::refused ? "refused: no difference to search for"
                                                    : "no answer";
  }
  return {};
}

std::string effect_text(double effect) {
  return effect < kManyfold ? percent_text(effect) : "x" + ratio_text(1 + effect);
}

std::string interval_text(double effect, std::optional<double> low, std::optional<double> high) {
  if (!low || !high) return {};
  const auto text = [&](double end) {
    return effect < kManyfold ? percent_text(end) : "x" + ratio_text(1 + end);
  };
  return fmt::format("95 % interval {} to {}", text(*low), text(*high));
}

std::string effect_text(double effect, std::optional<double> low, std::optional<double> high) {
  const auto interval = interval_text(effect, low, high);
  return effect_text(effect) + (interval.empty() ? "" : " (" + interval + ")");
}

std::string metric_words(const Metric& metric, std::int64_t mark) {
  return fmt::format(
      "{}{}, {}, {}", metric.name, mark > 0 ? fmt::format(" at mark {}", mark) : "", metric.unit,
      metric.better == stats::Better::higher ? "higher is better" : "lower is better");
}

std::string state_text(const RunFacts& run) {
  if (run.status == RunStatus::running && !run.live)
    return fmt::format("run {}: its controller died; `bisect-run resume` goes on with it\n",
                       run.id);
  return fmt::format("run {}: {}{}\n", run.id, to_string(run.status),
                     run.left_s ? fmt::format(", about {} left", duration_text(*run.left_s)) : "");
}

std::string end_words(const KernelSpec& end) {
  const auto oid = end.commit.abbreviated();
  if (end.text.empty() || end.commit.hex.starts_with(end.text)) return oid;
  return fmt::format("{} ({})", end.text, oid);
}

}  // namespace bisect_run::report
