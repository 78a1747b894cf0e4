#include "report/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "report/columns.h"
#include "report/numbers.h"

namespace bisect_run::report {
namespace {

/// Joins words to lines; a full line ends with a backslash.
std::string in_lines(const std::vector<std::string>& words, std::size_t indent) {
  std::string lines = words.front();
  std::size_t column = indent + lines.size();
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (column + 1 + words[i].size() + 2 > kWidth) {
      lines += " \\\n" + std::string(indent + 4, ' ') + words[i];
      column = indent + 4 + words[i].size();
    } else {
      lines += " " + words[i];
      column += 1 + words[i].size();
    }
  }
  return lines;
}

/// Scenarios, mode, metric and marks as they were.
void add_settings(std::vector<std::string>& words, const RunFacts& run, std::string_view metric) {
  auto scenarios = run.scenario;
  for (const auto& more : run.more_scenarios) scenarios += "," + more.name;
  words.push_back(fmt::format("--scenario {}", shell_word(scenarios)));
  if (!run.repository.empty()) words.push_back("--repo " + shell_word(run.repository));
  if (!run.mode.empty() && run.more_scenarios.empty()) words.push_back("--mode " + run.mode);
  if (!metric.empty()) words.push_back("--metric " + shell_word(metric));
  if (!run.marks.empty()) words.push_back(fmt::format("--marks {}", fmt::join(run.marks, ",")));
}

}  // namespace

std::string shell_word(std::string_view text) {
  const bool plain = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_@%+=:,./-^~{}").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain && text.front() != '~') return std::string(text);
  return shell_quoted(text);
}

std::string shell_quoted(std::string_view text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

std::string repeat_command(const RunFacts& run, std::string_view kernel, std::string_view variant,
                           std::string_view metric, const Machine& machine, std::size_t indent) {
  std::vector<std::string> words{"bisect-run", "scenario", run.scenario,
                                 machine.is_host()
                                     ? std::string("--here")
                                     : shell_word(fmt::format("{}@{}", kernel, variant))};
  const auto option = [&](const char* name, const std::string& value) {
    words.push_back(fmt::format("{} {}", name, value));
  };
  if (!run.repository.empty()) option("--repo", shell_word(run.repository));
  if (!run.mode.empty()) option("--mode", run.mode);
  if (!metric.empty()) option("--metric", shell_word(metric));
  if (!run.marks.empty()) option("--marks", fmt::format("{}", fmt::join(run.marks, ",")));
  if (!machine.is_host()) option("--cpus", fmt::format("{}", machine.cpus));
  if (!machine.is_host() && machine.memory_mib != Machine().memory_mib)
    option("--memory", fmt::format("{}MiB", machine.memory_mib));
  if (machine.clock != Machine().clock) option("--clock", machine.clock);
  if (!run.build.config.empty()) option("--config", shell_word(run.build.config));
  if (!run.build.cc.empty()) option("--compiler", shell_word(run.build.cc));
  for (const auto& text : run.build.make_args) option("--make-arg", shell_word(text));
  return in_lines(words, indent);
}

std::string compare_command(const RunFacts& run, std::string_view oid, std::string_view variant,
                            std::string_view metric, const Machine& machine) {
  std::vector<std::string> words{"bisect-run", "compare", shell_word(fmt::format("{}~1", oid)),
                                 shell_word(oid)};
  add_settings(words, run, metric);
  if (!variant.empty()) words.push_back(fmt::format("--variant {}", shell_word(variant)));
  words.push_back(fmt::format("--cpus {}", machine.cpus));
  return in_lines(words, 2);
}

std::string compare_command(const RunFacts& run, const ComparisonFacts& facts) {
  std::vector<std::string> words{"bisect-run", "compare"};
  std::vector<int> cpus;
  for (const auto& column : facts.columns) {
    const auto kernel =
        shell_word(fmt::format("{}@{}", typed_name(column.spec), column.spec.variant));
    if (std::ranges::find(words, kernel) == words.end()) words.push_back(kernel);
    if (std::ranges::find(cpus, column.machine.cpus) == cpus.end())
      cpus.push_back(column.machine.cpus);
  }
  add_settings(words, run, {});
  words.push_back(fmt::format("--cpus {}", fmt::join(cpus, ",")));
  return in_lines(words, 2);
}

std::string bisect_command(const BisectFacts& facts) {
  std::vector<std::string> words{"bisect-run", shell_word(typed_name(facts.good)),
                                 shell_word(typed_name(facts.bad))};
  RunFacts run = facts.run;
  run.repository.clear();
  add_settings(words, run, facts.metric.name);
  if (!facts.good.variant.empty())
    words.push_back(fmt::format("--variant {}", shell_word(facts.good.variant)));
  words.push_back(fmt::format("--cpus {}", facts.machine.cpus));
  if (facts.find_fix) words.emplace_back("--find-fix");
  return in_lines(words, 2);
}

}  // namespace bisect_run::report
