#include "config/scenario.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "config/cursor.h"
#include "config/vlan_ids.h"
#include "config/workloads.h"
#include "model/try.h"
#include "wire/limits.h"
#include "wire/messages.h"

namespace bisect_run::config {
namespace {

constexpr std::array<std::string_view, 3> kModes{"process", "fork", "direct"};

/// A scenario file as written, with what the choice has still to be checked against.
struct Written {
  Scenario scenario;
  bool default_marks_used = false;
};

std::vector<std::string_view> views(const std::vector<std::string>& words) {
  return {words.begin(), words.end()};
}

Result<std::vector<std::string>> mode_list(const Cursor& list) {
  BR_TRY_ASSIGN(const auto items, list.list());
  if (items.empty())
    return std::unexpected(list.fault("no mode; one or more of process, fork, direct"));
  std::vector<std::string> modes;
  for (const Cursor& item : items) {
    BR_TRY_ASSIGN(std::string mode, item.word(kModes));
    if (std::ranges::find(modes, mode) != modes.end())
      return std::unexpected(item.fault(fmt::format("{} is listed already", mode)));
    modes.push_back(std::move(mode));
  }
  return modes;
}

/// The name must be the file's, because files are found by it.
Result<std::string> scenario_name(const Cursor& value, const std::filesystem::path& file) {
  BR_TRY_ASSIGN(std::string name, value.text(64));
  if (name != file.stem().string())
    return std::unexpected(
        value.fault(fmt::format("the name '{}' is not the file's; write '{}' or rename the file",
                                name, file.stem().string())));
  return name;
}

Status read_counts(const Fields& top, Scenario& scenario) {
  if (const auto chunks = top.find("chunks")) {
    BR_TRY_ASSIGN(const auto number, chunks->integer(1, wire::kMaxChunks));
    scenario.chunks = static_cast<int>(number);
  }
  if (const auto repetitions = top.find("repetitions")) {
    BR_TRY_ASSIGN(const auto number, repetitions->integer(1, wire::kMaxRepetitions));
    scenario.repetitions = static_cast<int>(number);
  }
  if (const auto wait_bound = top.find("wait-bound")) {
    BR_TRY_ASSIGN(scenario.wait_bound, wait_bound->boolean());
  }
  return {};
}

std::vector<std::string> metric_names(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const auto& workload : scenario.workloads)
    for (const auto& loop : workload.loops) names.push_back(loop.metric);
  return names;
}

Result<std::string> default_metric(const Fields& top, const Scenario& scenario) {
  BR_TRY_ASSIGN(const auto value, top.require("default-metric"));
  const auto names = metric_names(scenario);
  return value.word(views(names));
}

/// Marks as chosen on the command line, else those of the file.
Status read_marks(const Fields& top, const ScenarioChoice& choice, WorkloadContext& context) {
  if (const auto marks = top.find("marks")) {
    BR_TRY_ASSIGN(context.default_marks, mark_list(*marks));
  }
  if (choice.marks.empty()) return {};
  if (const auto problem = marks_problem(choice.marks); !problem.empty())
    return fail(ErrorKind::usage, "--marks: " + problem);
  if (!context.default_marks.empty()) context.default_marks = choice.marks;
  return {};
}

Result<Written> read_scenario(const Document& document, const std::filesystem::path& file,
                              const ScenarioChoice& choice) {
  BR_TRY_ASSIGN(const auto top,
                Cursor(document).fields({"name", "summary", "modes", "default-metric", "wait-bound",
                                         "marks", "chunks", "repetitions", "workloads"}));
  Written written;
  Scenario& scenario = written.scenario;
  BR_TRY_ASSIGN(const auto name, top.require("name"));
  BR_TRY_ASSIGN(scenario.name, scenario_name(name, file));
  BR_TRY_ASSIGN(const auto summary, top.require("summary"));
  BR_TRY_ASSIGN(scenario.summary, summary.text());
  BR_TRY_ASSIGN(const auto modes, top.require("modes"));
  BR_TRY_ASSIGN(scenario.modes, mode_list(modes));
  BR_TRY(read_counts(top, scenario));
  WorkloadContext context{scenario.modes, {}};
  BR_TRY(read_marks(top, choice, context));
  BR_TRY_ASSIGN(const auto workloads, top.require("workloads"));
  BR_TRY_ASSIGN(auto read, workload_list(workloads, context));
  scenario.workloads = std::move(read.workloads);
  written.default_marks_used = read.default_marks_used;
  BR_TRY_ASSIGN(scenario.default_metric, default_metric(top, scenario));
  return written;
}

Status choose_mode(Scenario& scenario, const std::string& mode) {
  scenario.mode = mode.empty() ? scenario.modes.front() : mode;
  if (std::ranges::find(scenario.modes, scenario.mode) == scenario.modes.end())
    return fail(ErrorKind::usage, fmt::format("scenario {} has no mode '{}'{}", scenario.name, mode,
                                              hint(mode, views(scenario.modes))));
  return {};
}

Status choose_metrics(Scenario& scenario, const std::vector<std::string>& metrics) {
  if (metrics.empty()) return {};
  const auto known = metric_names(scenario);
  for (const auto& metric : metrics)
    if (std::ranges::find(known, metric) == known.end())
      return fail(ErrorKind::usage, fmt::format("scenario {} has no metric '{}'{}", scenario.name,
                                                metric, hint(metric, views(known))));
  // A workload stays whole: its later loops may work on what the earlier ones made.
  std::erase_if(scenario.workloads, [&](const wire::Workload& workload) {
    return std::ranges::none_of(workload.loops, [&](const wire::Loop& loop) {
      return std::ranges::find(metrics, loop.metric) != metrics.end();
    });
  });
  return {};
}

Status choose_counts(Scenario& scenario, const ScenarioChoice& choice) {
  const auto within = [](int number, std::int64_t most) { return number >= 1 && number <= most; };
  if (choice.repetitions && !within(*choice.repetitions, wire::kMaxRepetitions))
    return fail(ErrorKind::usage, fmt::format("repetitions: {} is out of range; from 1 to {}",
                                              *choice.repetitions, wire::kMaxRepetitions));
  if (choice.chunks && !within(*choice.chunks, wire::kMaxChunks))
    return fail(ErrorKind::usage, fmt::format("chunks: {} is out of range; from 1 to {}",
                                              *choice.chunks, wire::kMaxChunks));
  scenario.repetitions = choice.repetitions.value_or(scenario.repetitions);
  scenario.chunks = choice.chunks.value_or(scenario.chunks);
  return {};
}

/// The agent reads a workload as one line. What it would pass over or take for something else
/// would look like a fault of every kernel.
Status check_messages(const Scenario& scenario) {
  for (const auto& workload : scenario.workloads) {
    const wire::RunWorkload request{wire::kMaxId, scenario.mode, scenario.chunks,
                                    scenario.repetitions, workload};
    const auto line = wire::encode(wire::HostMessage(request));
    const auto refuse = [&](std::string_view why) {
      return fail(ErrorKind::usage, fmt::format("scenario {}: workload {} cannot be sent to the "
                                                "guest: {}",
                                                scenario.name, workload.name, why));
    };
    if (line.size() > wire::kMaxLine)
      return refuse(fmt::format("it takes {} bytes, a message has {}; make two of it", line.size(),
                                wire::kMaxLine));
    const auto read = wire::decode_host(line);
    if (!read) return refuse(read.error());
    if (std::get<wire::RunWorkload>(*read).workload != workload)
      return refuse("a name in it is not UTF-8");
  }
  return {};
}

}  // namespace

Result<Scenario> parse_scenario(std::string_view text, const std::filesystem::path& name,
                                const ScenarioChoice& choice) {
  BR_TRY_ASSIGN(const auto document, parse_tree(text, name.string()));
  BR_TRY_ASSIGN(auto written, read_scenario(document, name, choice));
  Scenario& scenario = written.scenario;
  if (!choice.marks.empty() && !written.default_marks_used)
    return fail(
        ErrorKind::usage,
        fmt::format("scenario {} has no marks to choose; leave --marks out", scenario.name));
  BR_TRY(choose_mode(scenario, choice.mode));
  BR_TRY(choose_metrics(scenario, choice.metrics));
  BR_TRY(choose_counts(scenario, choice));
  BR_TRY(check_vlan_ids(scenario));
  BR_TRY(check_messages(scenario));
  scenario.digest = digest_of(scenario);
  return std::move(scenario);
}

Result<Scenario> load_scenario(const std::filesystem::path& file, const ScenarioChoice& choice) {
  BR_TRY_ASSIGN(const auto text, read_bounded(file));
  return parse_scenario(text, file, choice);
}

}  // namespace bisect_run::config
