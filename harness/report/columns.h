#pragma once

#include <string>
#include <vector>

#include "report/facts.h"

namespace bisect_run::report {

/// A kernel as typed, without its variant; 12 digits of an object name.
std::string kernel_name(const KernelSpec& spec);
/// What else tells columns apart: `all, 2 vCPUs`.
std::string axis_name(const Column& column);
/// One line a column: its place, name, machine, boots, and why it has none.
std::string legend(const std::vector<Column>& columns);
/// Without blanks at the end of the line.
std::string without_end(std::string text);

}  // namespace bisect_run::report
