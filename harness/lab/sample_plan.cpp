#include "lab/sample_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "wire/chunk_boundary.h"
#include "wire/operations.h"

namespace bisect_run::lab {
namespace {

constexpr std::size_t kMostExtras = 100'000;

}  // namespace

SamplePlan::SamplePlan(const wire::Workload& workload, int chunks, int repetitions)
    : chunks_(chunks), repetitions_(repetitions) {
  for (const auto& loop : workload.loops) add_loop(loop, chunks);
  for (const auto& [key, interval] : intervals_)
    expected_ += static_cast<std::size_t>(interval.parts * repetitions);
}

void SamplePlan::add_loop(const wire::Loop& loop, int chunks) {
  std::int64_t from = 0;
  for (const auto mark : loop.marks) {
    intervals_[{loop.metric, mark}] = {mark - from, std::min<std::int64_t>(chunks, mark - from)};
    from = mark;
  }
  if (loop.marks.empty()) intervals_[{loop.metric, 0}] = {loop.count, 1};
  for (const auto& step : loop.each)
    if (const auto* operation = wire::find_operation(step.op))
      for (const auto output : operation->outputs)
        extras_.emplace(wire::output_metric(loop.metric, output));
}

std::optional<std::string> SamplePlan::take(const wire::SampleMessage& sample) {
  const auto say = [&sample](const char* what) {
    return fmt::format("sample {} mark {} repetition {} chunk {}: {}", sample.metric, sample.mark,
                       sample.repetition, sample.chunk, what);
  };
  if (sample.repetition < 0 || sample.repetition >= repetitions_) return say("no such repetition");
  const auto interval = intervals_.find({sample.metric, sample.mark});
  const bool extra = interval == intervals_.end();
  if (extra && !extras_.contains(sample.metric)) return say("not asked for");
  const auto parts = extra ? chunks_ : interval->second.parts;
  if (sample.chunk < 0 || sample.chunk >= parts) return say("no such chunk");
  if (extra && seen_.size() - taken_ >= kMostExtras) return say("too many of them");
  if (!seen_.insert({sample.metric, sample.mark, sample.repetition, sample.chunk}).second)
    return say("sent twice");
  if (extra) return std::nullopt;
  ++taken_;
  return check_items(sample, interval->second);
}

std::optional<std::string> SamplePlan::check_items(const wire::SampleMessage& sample,
                                                   const Interval& interval) {
  const auto boundary = [&](std::int64_t i) {
    return wire::chunk_boundary(i, interval.items, interval.parts);
  };
  const auto due = boundary(sample.chunk + std::int64_t{1}) - boundary(sample.chunk);
  if (sample.items == due) return std::nullopt;
  return fmt::format("sample {} mark {} chunk {} claims {} items instead of {}", sample.metric,
                     sample.mark, sample.chunk, sample.items, due);
}

}  // namespace bisect_run::lab
