#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wire/workload.h"

// The one table of operations: it validates the YAML on the host, names what the agent dispatches,
// and is the source of scenarios/README.md.

namespace bisect_run::wire {

enum class ParameterType { integer, boolean, text, choice };

struct ParameterSpec {
  std::string_view name;
  ParameterType type;
  std::string_view meaning;  ///< with the unit, if it has one
  bool required = false;
  std::int64_t minimum = 0, maximum = 0;  ///< of an integer; of a text: its length. A text is a
                                          ///< name: letters, digits, and . _ -
  ParameterValue fallback;                ///< the default where it is not required
  std::vector<std::string_view> choices;  ///< of a choice
};

struct OperationSpec {
  std::string_view name;
  std::string_view meaning;
  std::vector<std::string_view> modes;  ///< process, fork, direct: where it makes sense
  std::vector<ParameterSpec> parameters;
  /// Metrics that it reports beside the loop's own, a sample each beside every one of the loop's,
  /// for its last item; usually none.
  /// They are named by `output_metric`.
  std::vector<std::string_view> outputs;

  bool supports(std::string_view mode) const;
};

/// The name of an operation's own metric within a loop: `atomic.4` and `cycles` give
/// `atomic.4.cycles`.
std::string output_metric(std::string_view loop_metric, std::string_view output);

std::span<const OperationSpec> operations();
const OperationSpec* find_operation(std::string_view name);

/// What is wrong with a step.
struct StepFault {
  std::string parameter;  ///< empty: the operation itself
  std::string message;
};

/// Checks `step` against its row and fills in defaults. The error names the parameter and what
/// would be right; the reader adds file:line:column.
std::optional<StepFault> complete(Step& step);

/// The operation or parameter nearest in spelling, for "did you mean"; empty if none is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

}  // namespace bisect_run::wire
