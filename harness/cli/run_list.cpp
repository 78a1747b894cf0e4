#include "cli/run_list.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "model/try.h"
#include "report/columns.h"
#include "report/numbers.h"

namespace bisect_run::cli {
namespace {

constexpr double kDay_s = 86400;

std::string local_time(double epoch_s) {
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(static_cast<std::time_t>(epoch_s)));
}

std::string status_word(const store::RunRecord& run) {
  if (run.status == RunStatus::running) return run.live ? "running" : "died, resumable";
  return std::string(to_string(run.status));
}

bool has_kernel(const store::RunRecord& run, const std::string& text) {
  for (const auto& kernel : run.request.kernels)
    if (kernel.text.find(text) != std::string::npos || kernel.commit.hex.starts_with(text))
      return true;
  if (run.answer)
    for (const auto& commit : run.answer->commits)
      if (commit.oid.hex.starts_with(text)) return true;
  return false;
}

bool has_scenario(const store::RunRecord& run, const std::string& name) {
  if (run.request.scenario == name) return true;
  for (const auto& more : run.request.more_scenarios)
    if (more.name == name) return true;
  return false;
}

/// ` -> 139eff40d297 nsproxy: …` of a bisect that has an answer.
std::string outcome(const store::RunRecord& run) {
  if (!run.answer || run.answer->commits.empty()) return {};
  const auto& commit = run.answer->commits.front();
  if (run.answer->commits.size() > 1)
    return fmt::format("  -> one of {}", run.answer->commits.size());
  return fmt::format("  -> {} {}", commit.oid.abbreviated(), report::cut(commit.subject, 40));
}

nlohmann::ordered_json kernel_json(const KernelSpec& spec) {
  return {{"name", report::kernel_name(spec)}, {"oid", spec.commit.hex}, {"variant", spec.variant}};
}

nlohmann::ordered_json run_json(const store::RunRecord& run) {
  using Json = nlohmann::ordered_json;
  Json kernels = Json::array(), commits = Json::array(), scenarios = Json::array();
  for (const auto& kernel : run.request.kernels) kernels.push_back(kernel_json(kernel));
  scenarios.push_back(run.request.scenario);
  for (const auto& more : run.request.more_scenarios) scenarios.push_back(more.name);
  if (run.answer)
    for (const auto& commit : run.answer->commits)
      commits.push_back({{"oid", commit.oid.hex}, {"subject", commit.subject}});
  return {{"run", run.id},
          {"kind", to_string(run.request.kind)},
          {"status", to_string(run.status)},
          {"live", run.live},
          {"started", run.started_at},
          {"ended", run.ended_at ? Json(*run.ended_at) : Json(nullptr)},
          {"scenarios", scenarios},
          {"metric", run.request.metric},
          {"kernels", kernels},
          {"commits", commits}};
}

}  // namespace

Result<double> midnight_of(const std::string& date) {
  std::tm day{};
  int used = 0;
  const bool read = std::sscanf(date.c_str(), "%4d-%2d-%2d%n", &day.tm_year, &day.tm_mon,
                                &day.tm_mday, &used) == 3 &&
                    used == static_cast<int>(date.size());
  day.tm_year -= 1900;
  day.tm_mon -= 1;
  day.tm_isdst = -1;
  const std::tm asked = day;
  const auto epoch = std::mktime(&day);
  const bool exists = day.tm_mon == asked.tm_mon && day.tm_mday == asked.tm_mday;
  if (!read || epoch == -1 || !exists)
    return fail(ErrorKind::usage, fmt::format("'{}' is no date; write it as 2026-11-30", date));
  return static_cast<double>(epoch);
}

Result<std::vector<store::RunRecord>> filtered(std::vector<store::RunRecord> runs,
                                               const Arguments& arguments) {
  std::optional<double> since, until;
  if (!arguments.since.empty()) {
    BR_TRY_ASSIGN(since, midnight_of(arguments.since));
  }
  if (!arguments.until.empty()) {
    BR_TRY_ASSIGN(const auto day, midnight_of(arguments.until));
    until = day + kDay_s;
  }
  std::erase_if(runs, [&](const store::RunRecord& run) {
    return (!arguments.scenario.empty() && !has_scenario(run, arguments.scenario)) ||
           (!arguments.kernel.empty() && !has_kernel(run, arguments.kernel)) ||
           (since && run.started_at < *since) || (until && run.started_at >= *until);
  });
  return runs;
}

std::string run_lines(const std::vector<store::RunRecord>& runs) {
  std::string lines;
  for (const auto& run : runs) {
    std::vector<std::string> kernels;
    for (const auto& kernel : run.request.kernels) kernels.push_back(kernel.text);
    if (kernels.size() > 4) {
      kernels.resize(4);
      kernels.push_back(fmt::format("and {} more", run.request.kernels.size() - 4));
    }
    lines += report::printable(fmt::format("{}  {}  {:<8}  {:<15}  {}  {}{}", run.id,
                                           local_time(run.started_at), to_string(run.request.kind),
                                           status_word(run), run.request.scenario,
                                           fmt::join(kernels, " "), outcome(run))) +
             "\n";
  }
  return lines;
}

std::string runs_json(const std::vector<store::RunRecord>& runs) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& run : runs) list.push_back(run_json(run));
  return nlohmann::ordered_json{{"runs", list}}.dump(
             2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

}  // namespace bisect_run::cli
