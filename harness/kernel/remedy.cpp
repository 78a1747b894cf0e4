#include "kernel/remedy.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernel/tree_questions.h"
#include "model/try.h"

namespace bisect_run::kernel {
namespace {

constexpr std::string_view kDirectory = "{remedies}";

/// `CC+=-fno-pie; CONFIG_ACPI=n`
std::string effects(const Remedy& remedy) {
  std::vector<std::string> parts;
  for (const auto& [name, words] : remedy.flags)
    parts.push_back(fmt::format("{}+={}", name, fmt::join(words, " ")));
  for (const auto& variable : remedy.make_variables)
    parts.push_back(variable.substr(0, variable.find('=')) + "=");
  for (const auto& line : remedy.config)
    parts.push_back(fmt::format("CONFIG_{}={}", line.symbol, line.value));
  for (const auto& argument : remedy.boot_args) parts.push_back("boot " + argument);
  for (const auto& patch : remedy.patches) parts.push_back("patch " + patch);
  return fmt::format("{}", fmt::join(parts, "; "));
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

Result<Treatment> treat(const std::vector<Remedy>& remedies,
                        const std::set<std::string, std::less<>>& fitting, const Words& derived) {
  Treatment sum;
  for (const auto& remedy : remedies) {
    if (!fitting.contains(remedy.name)) continue;
    for (const auto& [name, words] : remedy.flags) append(sum.flags[name], words);
    for (const auto& variable : remedy.make_variables) {
      auto value = with_derived(variable, derived);
      if (!value) return std::unexpected(in_context(value.error(), "remedy " + remedy.name));
      sum.make_variables.push_back(std::move(*value));
    }
    append(sum.config, remedy.config);
    append(sum.boot_args, remedy.boot_args);
    append(sum.patches, remedy.patches);
    sum.applied.push_back({remedy.name, effects(remedy)});
  }
  return sum;
}

std::vector<std::string> with_flags(std::vector<std::string> variables,
                                    const std::map<std::string, std::vector<std::string>>& flags) {
  for (const auto& [name, words] : flags) {
    const auto last = std::find_if(variables.rbegin(), variables.rend(), [&](const auto& variable) {
      return variable.starts_with(name + "=");
    });
    const auto added = fmt::format("{}", fmt::join(words, " "));
    if (last == variables.rend())
      variables.push_back(name + "=" + added);
    else
      *last += " " + added;
  }
  return variables;
}

std::string with_directory(std::string text, std::string_view directory) {
  for (auto at = text.find(kDirectory); at != std::string::npos;
       at = text.find(kDirectory, at + directory.size()))
    text.replace(at, kDirectory.size(), directory);
  return text;
}

std::string explain(std::string_view log, const std::vector<Remedy>& remedies,
                    const std::vector<AppliedRemedy>& applied) {
  for (const auto& remedy : remedies) {
    if (remedy.symptom.empty() || !has_line(log, remedy.symptom)) continue;
    if (std::ranges::find(applied, remedy.name, &AppliedRemedy::name) != applied.end())
      return fmt::format("remedy {} is known for this ({}), but was applied already", remedy.name,
                         remedy.cures);
    std::vector<std::string> conditions;
    for (const auto& question : remedy.when) conditions.push_back(describe(question));
    return fmt::format(
        "remedy {} is known for this ({}), but is not applied here, since it is for trees where "
        "{}; widen its `when` in kernels.yaml",
        remedy.name, remedy.cures, fmt::join(conditions, " and "));
  }
  return {};
}

}  // namespace bisect_run::kernel
