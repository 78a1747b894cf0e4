#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "wire/messages.h"

namespace bisect_run::lab {

/// The samples one workload must yield, each exactly once: what is not in the plan was made up.
class SamplePlan {
 public:
  SamplePlan(const wire::Workload& workload, int chunks, int repetitions);

  /// Takes a sample off the plan. Returns what is wrong with it, if it is not due.
  std::optional<std::string> take(const wire::SampleMessage& sample);

  bool complete() const { return taken_ == expected_; }
  std::size_t expected() const { return expected_; }
  std::size_t taken() const { return taken_; }

 private:
  struct Interval {
    std::int64_t items = 0;  ///< in it
    std::int64_t parts = 1;  ///< chunks it is split into
  };
  using IntervalKey = std::tuple<std::string, std::int64_t>;  ///< metric, mark
  using SampleKey = std::tuple<std::string, std::int64_t, std::int32_t, std::int32_t>;

  void add_loop(const wire::Loop& loop, int chunks);
  static std::optional<std::string> check_items(const wire::SampleMessage& sample,
                                                const Interval& interval);

  std::map<IntervalKey, Interval> intervals_;
  std::set<std::string> extras_;  ///< metrics that operations report by themselves
  std::set<SampleKey> seen_;
  int chunks_, repetitions_;
  std::size_t expected_ = 0, taken_ = 0;
};

}  // namespace bisect_run::lab
