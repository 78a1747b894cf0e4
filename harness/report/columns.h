#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/facts.h"

namespace bisect_run::report {

/// A kernel as typed, without its variant; 12 digits of an object name.
std::string typed_name(const KernelSpec& spec);
/// The same for a reader: of a patch's file the name, not where it lies.
std::string kernel_name(const KernelSpec& spec);
/// That in at most `width` characters. A patched kernel that is too long keeps a `+` at its end, to
/// tell it from the kernel that it is made from.
std::string kernel_name(const KernelSpec& spec, std::size_t width);
/// What else tells columns apart: `all, 2 vCPUs`.
std::string axis_name(const Column& column);
/// One line a column: its place, name, machine, boots, and why it has none.
std::string legend(const std::vector<Column>& columns);
/// Without blanks at the end of the line.
std::string without_end(std::string text);

}  // namespace bisect_run::report
