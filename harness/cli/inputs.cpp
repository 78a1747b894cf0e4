#include "cli/inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/bisect_log.h"
#include "cli/build_choice.h"
#include "cli/host_choice.h"
#include "cli/kernel_specs.h"
#include "cli/repository_choice.h"
#include "config/recipe.h"
#include "config/scenario.h"
#include "model/try.h"
#include "model/variant.h"

namespace bisect_run::cli {
namespace fs = std::filesystem;
namespace {

/// A word before two others may have been meant as a command.
Error mistyped(Error error, const Arguments& arguments) {
  if (!arguments.command_meant.empty()) error.message += "; " + arguments.command_meant;
  return error;
}

/// The kernels of a request: those typed, or the ends of a bisect log.
Status read_specs(const Arguments& arguments, const Recipe& recipe,
                  const git::Repository& repository, bool bisecting, RunRequest& request) {
  if (!arguments.import) {
    auto kernels = read_kernels(arguments, recipe, repository, bisecting);
    if (!kernels) return std::unexpected(mistyped(std::move(kernels).error(), arguments));
    request.kernels = std::move(*kernels);
    return {};
  }
  BR_TRY(import_bisect_log(*arguments.import, repository, request));
  Arguments ends = arguments;
  for (const auto& kernel : request.kernels) ends.kernels.push_back(kernel.commit.hex);
  BR_TRY_ASSIGN(request.kernels, read_kernels(ends, recipe, repository, bisecting));
  return {};
}

Result<Scenario> read_scenario(const fs::path& file, const Arguments& arguments, bool all) {
  config::ScenarioChoice choice;
  choice.mode = arguments.mode.value_or("");
  choice.marks = arguments.marks;
  if (arguments.metric) choice.metrics = {*arguments.metric};
  BR_TRY_ASSIGN(auto scenario, config::load_scenario(file, choice));
  if (all || arguments.metric) return scenario;
  choice.metrics = {scenario.default_metric};  // a bisect measures what decides, and no more
  return config::load_scenario(file, choice);
}

/// The scenarios of a comparison that come after the first one.
struct MoreScenarios {
  std::vector<Scenario> scenarios;
  std::vector<fs::path> files;
};

Result<MoreScenarios> read_more(const std::vector<std::string>& names, const std::string& first,
                                const Arguments& arguments, const Places& places) {
  MoreScenarios more;
  for (std::size_t i = 1; i < names.size(); ++i) {
    BR_TRY_ASSIGN(auto file, config::find_scenario(places.scenarios(), names[i]));
    BR_TRY_ASSIGN(auto scenario, read_scenario(file, arguments, true));
    if (scenario.name == first ||
        std::ranges::count(more.scenarios, scenario.name, &Scenario::name) > 0)
      return fail(ErrorKind::usage, "the scenario " + scenario.name + " is named twice");
    more.scenarios.push_back(std::move(scenario));
    more.files.push_back(std::move(file));
  }
  return more;
}

/// What a comparison has that a bisect has not.
void read_matrix(const Arguments& arguments, const MoreScenarios& more, RunRequest& request) {
  for (const auto& each : more.scenarios)
    request.more_scenarios.push_back({each.name, each.mode, each.digest});
  request.most_boots = arguments.most_boots.value_or(arguments.boots.value_or(kMostBoots));
  request.boots = arguments.boots.value_or(std::min(kFirstBoots, request.most_boots));
  request.min_effect = arguments.min_effect.value_or(0);
  request.fail_on_regression = arguments.fail_on_regression;
}

bool is_bisect(CommandKind command) {
  return command == CommandKind::bisect || command == CommandKind::plan ||
         command == CommandKind::demo || command == CommandKind::calibrate;
}

/// What narrows a bisect, beside its ends.
Status read_search(const Arguments& arguments, const git::Repository& repository,
                   RunRequest& request) {
  request.find_fix = arguments.find_fix;
  request.strategy = arguments.strategy;
  request.prebuild = arguments.prebuild;
  request.budget_s = arguments.budget_s.value_or(0);
  request.confidence = arguments.confidence.value_or(0);
  request.min_effect = arguments.min_effect.value_or(0);
  request.paths.insert(request.paths.end(), arguments.paths.begin(), arguments.paths.end());
  request.first_parent = request.first_parent || arguments.first_parent;
  const bool tuned = arguments.confidence || arguments.min_effect || !request.paths.empty();
  if (request.strategy == "three-way" && tuned)
    return fail(ErrorKind::usage,
                "--confidence, --min-effect and --paths are for the strategy posterior; three-way "
                "has no use for them");
  for (const auto& revision : arguments.more_good) {
    BR_TRY_ASSIGN(auto oid, repository.resolve(revision));
    request.more_good.push_back(std::move(oid));
  }
  return {};
}

RunKind run_kind(CommandKind command) {
  if (command == CommandKind::compare) return RunKind::compare;
  if (command == CommandKind::scenario) return RunKind::scenario;
  if (command == CommandKind::calibrate) return RunKind::calibrate;
  return RunKind::bisect;
}

}  // namespace

Result<Inputs> read_inputs(const Arguments& arguments, const Places& places,
                           const std::optional<std::string>& last_repository) {
  const fs::path recipe_file = arguments.kernels_file.value_or(places.recipe().string());
  BR_TRY_ASSIGN(auto recipe, config::load_recipe(recipe_file));
  auto host = host_choice(arguments);
  BR_TRY(apply(host, recipe));
  BR_TRY_ASSIGN(auto build, build_choice(arguments));
  BR_TRY(apply(build, build.config, recipe));
  BR_TRY_ASSIGN(auto machine,
                machine_choice(arguments, recipe.machines.at(recipe.default_machine)));
  auto names = arguments.scenarios;
  if (names.empty()) names = {arguments.scenario.empty() ? kDefaultScenario : arguments.scenario};
  BR_TRY_ASSIGN(auto scenario_file, config::find_scenario(places.scenarios(), names.front()));
  const bool bisecting = is_bisect(arguments.command);
  BR_TRY_ASSIGN(auto scenario, read_scenario(scenario_file, arguments, !bisecting));
  BR_TRY_ASSIGN(auto more, read_more(names, scenario.name, arguments, places));
  BR_TRY_ASSIGN(auto choice, choose_repository(arguments.repo, recipe.repository, last_repository));
  RunRequest request;
  BR_TRY(read_specs(arguments, recipe, choice.repository, bisecting, request));
  if (bisecting) {
    BR_TRY(check_ends(arguments, request.kernels));
    if (const auto own = request.kernels.front().machine) {
      BR_TRY_ASSIGN(machine, machine_choice(arguments, *own));
    }
    for (auto& kernel : request.kernels) kernel.machine.reset();  // the run's, now
  }
  request.kind = run_kind(arguments.command);
  request.repository = choice.repository.path().string();
  request.scenario = scenario.name;
  request.mode = scenario.mode;
  request.metric = arguments.metric.value_or(bisecting ? scenario.default_metric : "");
  if (const auto* loop = find_loop(scenario, request.metric)) request.marks = loop->marks;
  if (request.marks.empty()) request.marks = arguments.marks;
  request.machine = std::move(machine);
  request.cpus = arguments.cpus.empty() ? std::vector{request.machine.cpus} : arguments.cpus;
  request.build = std::move(build);
  request.host = std::move(host);
  BR_TRY(check_clocks(request));
  BR_TRY(check_cpus(request, recipe));
  request.boots = arguments.boots.value_or(0);
  request.on_end = arguments.on_end;
  if (request.kind == RunKind::compare) read_matrix(arguments, more, request);
  if (bisecting) BR_TRY(read_search(arguments, choice.repository, request));
  if (request.kind == RunKind::bisect)
    request.layouts = variants_along(recipe, request.kernels.at(0).variant, kLayoutAxis);
  return Inputs{std::move(recipe),         std::move(scenario),   std::move(scenario_file),
                std::move(more.scenarios), std::move(more.files), std::move(choice.repository),
                std::move(choice.reason),  std::move(request)};
}

Result<Inputs> restore_inputs(const RunRequest& request, const fs::path& run_directory) {
  BR_TRY_ASSIGN(auto recipe, config::load_recipe(run_directory / "kernels.yaml"));
  BR_TRY(apply(request.build, run_directory / kOwnConfig, recipe));
  BR_TRY(apply(request.host, recipe));
  const auto scenario_file = run_directory / (request.scenario + ".yaml");
  config::ScenarioChoice choice;
  choice.mode = request.mode;
  choice.marks = request.marks;
  if (!request.metric.empty()) choice.metrics = {request.metric};
  BR_TRY_ASSIGN(auto scenario, config::load_scenario(scenario_file, choice));
  std::vector<Scenario> more;
  std::vector<fs::path> more_files;
  for (const auto& each : request.more_scenarios) {
    more_files.push_back(run_directory / (each.name + ".yaml"));
    BR_TRY_ASSIGN(
        more.emplace_back(),
        config::load_scenario(more_files.back(), {.mode = each.mode, .marks = request.marks}));
  }
  BR_TRY_ASSIGN(auto repository, git::Repository::open(request.repository));
  return Inputs{std::move(recipe),
                std::move(scenario),
                scenario_file,
                std::move(more),
                std::move(more_files),
                std::move(repository),
                {},
                request};
}

}  // namespace bisect_run::cli
