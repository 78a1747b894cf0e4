#include "report/columns.h"

#include <fmt/format.h>

#include "report/numbers.h"

namespace bisect_run::report {

std::string kernel_name(const KernelSpec& spec) {
  std::string name = spec.text.empty() ? spec.commit.abbreviated() : spec.text;
  const auto suffix = "@" + spec.variant;
  if (!spec.variant.empty() && name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  if (name.size() >= 40 && spec.commit.hex == name) name = spec.commit.abbreviated();
  return name;
}

std::string axis_name(const Column& column) {
  return fmt::format("{}, {} vCPU{}", column.spec.variant, column.machine.cpus,
                     column.machine.cpus == 1 ? "" : "s");
}

std::string legend(const std::vector<Column>& columns) {
  std::string text;
  int place = 0;
  for (const auto& column : columns) {
    const auto name = column.machine.is_host()
                          ? kernel_name(column.spec)
                          : fmt::format("{}@{} ({})", kernel_name(column.spec),
                                        column.spec.variant, column.spec.commit.abbreviated());
    const auto words = fmt::format("{}, {}: {} {}{}", name, describe(column.machine), column.boots,
                                   column.machine.is_host() ? "repetition" : "boot",
                                   column.boots == 1 ? "" : "s");
    text += fmt::format("{:>4}  {}\n", ++place, wrapped(words, 6));
    if (column.same_as)
      text += fmt::format("      the same machine code as {}, not booted\n", *column.same_as + 1);
    else if (!column.reason.empty())
      text += "      " + wrapped("not measured: " + column.reason, 6) + "\n";
  }
  return text;
}

std::string without_end(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace bisect_run::report
