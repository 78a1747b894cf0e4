#include "cli/inputs.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/bisect_log.h"
#include "cli/repository_choice.h"
#include "config/recipe.h"
#include "config/scenario.h"
#include "git/kernel_tree.h"
#include "model/try.h"

namespace bisect_run::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t kMaxPatch = 16u << 20;

Result<Patch> read_patch(const git::Repository& repository, const std::string& name) {
  std::error_code ignored;
  if (fs::is_regular_file(name, ignored)) {
    if (fs::file_size(name, ignored) > kMaxPatch)
      return fail(ErrorKind::usage, name + ": larger than 16 MiB, too large for a patch");
    std::ifstream in(name, std::ios::binary);
    if (!in) return fail(ErrorKind::usage, name + ": cannot be read");
    return Patch{name, {std::istreambuf_iterator<char>(in), {}}};
  }
  BR_TRY_ASSIGN(const auto oid, repository.resolve(name));
  BR_TRY_ASSIGN(auto text, repository.patch_of(oid));
  return Patch{name, std::move(text)};
}

Status check_variants(const Recipe& recipe, const std::vector<std::string>& variants) {
  std::vector<std::string> names;
  for (const auto& rule : recipe.variants) names.push_back(rule.name);
  for (const auto& variant : variants)
    if (!recipe.variant(variant))
      return fail(ErrorKind::usage,
                  fmt::format("there is no variant {} in {}; there are {}", variant,
                              recipe.file.string(), fmt::join(names, ", ")));
  return {};
}

/// Whether a tree can offload RCU callbacks: its Kconfig says so, in one place or the other.
bool has_offloading(const git::Repository& repository, const Oid& commit) {
  for (const auto* file : {"kernel/rcu/Kconfig", "init/Kconfig"}) {
    const auto text = repository.file(commit, file);
    if (text && text->find("config RCU_NOCB_CPU\n") != std::string::npos) return true;
  }
  return false;
}

/// Gives kernels without a variant the default one: `none`, or `off` where the tree knows no other.
/// A bisect holds it fixed, so there `off` wins for both ends.
void fill_variants(std::vector<KernelSpec>& kernels, const git::Repository& repository,
                   bool bisecting) {
  bool all_offload = true;
  for (const auto& kernel : kernels)
    if (kernel.variant.empty()) all_offload &= has_offloading(repository, kernel.commit);
  for (auto& kernel : kernels) {
    if (!kernel.variant.empty()) continue;
    const bool can = bisecting ? all_offload : has_offloading(repository, kernel.commit);
    kernel.variant = can ? kDefaultVariant : kOldTreesVariant;
  }
}

/// Each kernel typed, with each variant asked for; a SPEC that names its own keeps that alone.
Result<std::vector<KernelSpec>> read_kernels(const Arguments& arguments, const Recipe& recipe,
                                             const git::Repository& repository) {
  const auto variants =
      arguments.variants.empty() ? std::vector<std::string>{""} : arguments.variants;
  std::vector<KernelSpec> kernels;
  for (const auto& text : arguments.kernels) {
    for (const auto& variant : variants) {
      BR_TRY_ASSIGN(auto spec, read_spec(text, spec_context(recipe, repository, variant)));
      BR_TRY(git::require_kernel_tree(repository, spec.commit));
      if (std::ranges::find(kernels, spec) == kernels.end()) kernels.push_back(std::move(spec));
    }
  }
  return kernels;
}

/// A word before two others may have been meant as a command.
Error mistyped(Error error, const Arguments& arguments) {
  if (!arguments.command_meant.empty()) error.message += "; " + arguments.command_meant;
  return error;
}

/// The kernels of a request: those typed, or the ends of a bisect log.
Status read_specs(const Arguments& arguments, const Recipe& recipe,
                  const git::Repository& repository, RunRequest& request) {
  if (!arguments.import) {
    auto kernels = read_kernels(arguments, recipe, repository);
    if (!kernels) return std::unexpected(mistyped(std::move(kernels).error(), arguments));
    request.kernels = std::move(*kernels);
    return {};
  }
  BR_TRY(import_bisect_log(*arguments.import, repository, request));
  for (auto& kernel : request.kernels) {
    if (!arguments.variants.empty()) kernel.variant = arguments.variants.front();
    BR_TRY(git::require_kernel_tree(repository, kernel.commit));
  }
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

bool is_bisect(CommandKind command) {
  return command == CommandKind::bisect || command == CommandKind::plan ||
         command == CommandKind::demo || command == CommandKind::calibrate;
}

Status check_ends(const Arguments& arguments, const std::vector<KernelSpec>& kernels) {
  for (const auto& kernel : kernels)
    if (!kernel.patches.empty())
      return fail(ErrorKind::usage, kernel.text +
                                        ": the ends of a bisect are commits, without patches; "
                                        "bisect-run compare takes patches");
  if (kernels.size() == 2 && kernels[0].variant != kernels[1].variant)
    return fail(ErrorKind::usage,
                fmt::format("the ends have different variants ({} and {}): a bisect holds the "
                            "variant fixed; set them side by side with bisect-run compare",
                            kernels[0].variant, kernels[1].variant));
  if (kernels.size() < 2)
    return fail(ErrorKind::usage,
                fmt::format("GOOD and BAD are the same commit ({} and {}): nothing lies between",
                            arguments.kernels.front(), arguments.kernels.back()));
  return {};
}

/// What narrows a bisect, beside its ends.
Status read_search(const Arguments& arguments, const git::Repository& repository,
                   RunRequest& request) {
  request.find_fix = arguments.find_fix;
  request.strategy = arguments.strategy;
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

SpecContext spec_context(const Recipe& recipe, const git::Repository& repository,
                         std::string default_variant) {
  return {
      .resolve = [&repository](const std::string& r) { return repository.resolve(r); },
      .patch = [&repository](const std::string& name) { return read_patch(repository, name); },
      .is_patch =
          [&repository](const std::string& name) {
            std::error_code ignored;
            return fs::is_regular_file(name, ignored) || repository.resolve(name).has_value();
          },
      .is_variant = [&recipe](const std::string& name) { return recipe.variant(name) != nullptr; },
      .default_variant = std::move(default_variant)};
}

Result<Inputs> read_inputs(const Arguments& arguments, const Places& places,
                           const std::optional<std::string>& last_repository) {
  const fs::path recipe_file = arguments.kernels_file.value_or(places.recipe().string());
  BR_TRY_ASSIGN(auto recipe, config::load_recipe(recipe_file));
  BR_TRY(check_variants(recipe, arguments.variants));
  const auto name = arguments.scenario.empty() ? kDefaultScenario : arguments.scenario;
  BR_TRY_ASSIGN(auto scenario_file, config::find_scenario(places.scenarios(), name));
  const bool bisecting = is_bisect(arguments.command);
  BR_TRY_ASSIGN(auto scenario, read_scenario(scenario_file, arguments, !bisecting));
  BR_TRY_ASSIGN(auto choice, choose_repository(arguments.repo, recipe.repository, last_repository));
  RunRequest request;
  BR_TRY(read_specs(arguments, recipe, choice.repository, request));
  fill_variants(request.kernels, choice.repository, bisecting);
  if (bisecting) BR_TRY(check_ends(arguments, request.kernels));
  request.kind = run_kind(arguments.command);
  request.repository = choice.repository.path().string();
  request.scenario = name;
  request.mode = scenario.mode;
  request.metric = arguments.metric.value_or(bisecting ? scenario.default_metric : "");
  if (const auto* loop = find_loop(scenario, request.metric)) request.marks = loop->marks;
  if (request.marks.empty()) request.marks = arguments.marks;
  request.machine = recipe.machines.at(recipe.default_machine);
  request.cpus = arguments.cpus.empty() ? std::vector{request.machine.cpus} : arguments.cpus;
  request.machine.cpus = request.cpus.front();
  request.boots = arguments.boots.value_or(0);
  if (bisecting) BR_TRY(read_search(arguments, choice.repository, request));
  return Inputs{std::move(recipe),        std::move(scenario),
                std::move(scenario_file), std::move(choice.repository),
                std::move(choice.reason), std::move(request)};
}

Result<Inputs> restore_inputs(const RunRequest& request, const fs::path& run_directory) {
  BR_TRY_ASSIGN(auto recipe, config::load_recipe(run_directory / "kernels.yaml"));
  const auto scenario_file = run_directory / (request.scenario + ".yaml");
  config::ScenarioChoice choice;
  choice.mode = request.mode;
  choice.marks = request.marks;
  if (!request.metric.empty()) choice.metrics = {request.metric};
  BR_TRY_ASSIGN(auto scenario, config::load_scenario(scenario_file, choice));
  BR_TRY_ASSIGN(auto repository, git::Repository::open(request.repository));
  return Inputs{
      std::move(recipe), std::move(scenario), scenario_file, std::move(repository), {}, request};
}

}  // namespace bisect_run::cli
