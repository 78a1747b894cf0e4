#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

// What the agent is asked to do. These nouns are shared by the YAML reader, the host and the agent.

namespace bisect_run::wire {

/// A value of an operation's parameter, as checked against the operations table.
using ParameterValue = std::variant<std::int64_t, bool, std::string>;

/// One operation with its parameters, defaults filled in.
struct Step {
  std::string op;
  std::map<std::string, ParameterValue> parameters;

  bool operator==(const Step&) const = default;
};

/// A measured loop: `each` runs once per item.
///
/// With marks, items run up to the last mark and each interval between marks is one measurement,
/// split into equal chunks, one sample each. Without marks, `count` items are one sample.
struct Loop {
  std::string metric;               ///< unique in the scenario: add+exec, veth.create
  std::vector<std::int64_t> marks;  ///< ascending, in items; empty when `count` rules
  std::int64_t count = 0;
  std::vector<Step> each;

  bool operator==(const Loop&) const = default;
};

/// One workload starts from an empty, drained guest: the agent deletes and drains before it.
struct Workload {
  std::string name;
  std::vector<Step> setup;
  std::vector<Loop> loops;
  std::vector<Step> teardown;

  bool operator==(const Workload&) const = default;
};

}  // namespace bisect_run::wire
