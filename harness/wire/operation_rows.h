#pragma once

#include <vector>

#include "wire/operations.h"

// Where the rows of the operations table come from. Private to wire/.

namespace bisect_run::wire {

/// Making, entering, wiring and deleting network namespaces.
std::vector<OperationSpec> netns_rows();
/// Making, addressing and deleting network devices.
std::vector<OperationSpec> link_rows();
/// Sending through devices, and contention.
std::vector<OperationSpec> traffic_rows();

/// A name given to objects: `name` is completed with the item's number.
ParameterSpec prefix_parameter(std::string_view name, std::string_view meaning,
                               std::string_view fallback, std::int64_t longest);
ParameterSpec integer_parameter(std::string_view name, std::string_view meaning,
                                std::int64_t minimum, std::int64_t maximum, std::int64_t fallback);
ParameterSpec choice_parameter(std::string_view name, std::string_view meaning,
                               std::vector<std::string_view> choices);

}  // namespace bisect_run::wire
