#include "report/columns.h"

#include <filesystem>

#include <fmt/format.h>

#include "report/numbers.h"

namespace bisect_run::report {

namespace {

/// Takes the patches off a name, as they stand at its end; those of a named kernel do not.
std::string without_patches(std::string name, const KernelSpec& spec) {
  for (auto patch = spec.patches.rbegin(); patch != spec.patches.rend(); ++patch)
    if (const auto tail = "+" + patch->name; name.ends_with(tail))
      name.resize(name.size() - tail.size());
  return name;
}

}  // namespace

std::string typed_name(const KernelSpec& spec) {
  std::string name = spec.text.empty() ? spec.commit.abbreviated() : spec.text;
  const auto suffix = "@" + spec.variant;
  if (!spec.variant.empty() && name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  if (name.size() >= 40 && spec.commit.hex == name) name = spec.commit.abbreviated();
  return name;
}

std::string kernel_name(const KernelSpec& spec) {
  const auto typed = typed_name(spec);
  auto name = without_patches(typed, spec);
  if (name == typed) return typed;
  for (const auto& patch : spec.patches)
    name += "+" + std::filesystem::path(patch.name).filename().string();
  return name;
}

std::string kernel_name(const KernelSpec& spec, std::size_t width) {
  const auto name = kernel_name(spec);
  const auto base = without_patches(typed_name(spec), spec);
  if (name.size() <= width || width < 3 || base == typed_name(spec)) return cut(name, width);
  return cut(base, width - 1) + "+";
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
                          : fmt::format("{}@{} ({})", kernel_name(column.spec), column.spec.variant,
                                        column.spec.commit.abbreviated());
    const auto words =
        fmt::format("{}, {}: {} {}{}", name, describe(column.machine), column.boots,
                    column.machine.is_host() ? "repetition" : "boot", column.boots == 1 ? "" : "s");
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
