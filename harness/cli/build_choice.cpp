#include "cli/build_choice.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "config/machines.h"
#include "config/make_variables.h"
#include "kernel/compiler.h"
#include "kernel/own_config.h"
#include "model/try.h"

namespace bisect_run::cli {

Result<BuildChoice> build_choice(const Arguments& arguments) {
  BuildChoice choice{arguments.cc.value_or(""), arguments.make_args, {}};
  for (const auto& text : choice.make_args)
    if (const auto problem = config::make_variable_problem(text); !problem.empty())
      return fail(ErrorKind::usage, fmt::format("--make-arg {}: {}", text, problem));
  if (arguments.config_file) {
    std::error_code ignored;
    choice.config = std::filesystem::absolute(*arguments.config_file, ignored).string();
  }
  return choice;
}

Status apply(const BuildChoice& choice, const std::filesystem::path& config, Recipe& recipe) {
  auto& toolchain = recipe.toolchain;
  const auto usual = toolchain.cc;
  for (const auto& text : choice.make_args) {
    toolchain.make_variables.push_back(text);
    for (auto& other : recipe.toolchains) other.make_variables.push_back(text);
  }
  // With LLVM= the tree asks for clang, which our CC= would take back.
  if (const auto clang = kernel::llvm_tool(choice.make_args, "clang"); !clang.empty())
    toolchain.cc = clang;
  if (!choice.cc.empty()) toolchain.cc = choice.cc;
  // A compiler that a person chose builds every tree, whatever the recipe has for some of them.
  if (toolchain.cc != usual) recipe.toolchains.clear();
  if (!choice.config.empty()) {
    BR_TRY_ASSIGN(recipe.own_config, kernel::read_own_config(config));
  }
  return {};
}

Result<Machine> machine_choice(const Arguments& arguments, Machine machine) {
  if (arguments.memory) {
    BR_TRY_ASSIGN(machine.memory_mib, config::parse_memory(*arguments.memory));
  }
  if (arguments.accel) machine.accelerator = *arguments.accel;
  if (arguments.clock) machine.clock = *arguments.clock;
  if (!arguments.cpus.empty()) machine.cpus = arguments.cpus.front();
  if (machine.clock != "virtual") return machine;
  if (machine.accelerator == "kvm")
    return fail(ErrorKind::usage,
                "the virtual clock counts instructions, which only tcg can: leave --accel kvm or "
                "--clock virtual out");
  machine.accelerator = "tcg";
  return machine;
}

Status check_clocks(const RunRequest& request) {
  const auto placed = placed_kernels(request, request.machine);
  for (const auto& one : placed)
    if (one.machine.clock != placed.front().machine.clock)
      return fail(ErrorKind::usage,
                  fmt::format("{} runs with the {} clock and {} with the {} clock: their numbers "
                              "mean different things and are never compared",
                              placed.front().spec.text, placed.front().machine.clock, one.spec.text,
                              one.machine.clock));
  return {};
}

Status check_cpus(const RunRequest& request, const Recipe& recipe) {
  const auto& lines = recipe.own_config.empty() ? recipe.config : recipe.own_config;
  const auto most = std::ranges::find(lines, "NR_CPUS", &ConfigLine::symbol);
  const int limit = most == lines.end() ? 0 : std::atoi(most->value.c_str());
  if (limit <= 0) return {};  // left to the tree
  for (const auto& one : placed_kernels(request, request.machine))
    if (one.machine.cpus > limit)
      return fail(ErrorKind::usage,
                  fmt::format("{} vCPUs, but kernels are built for at most {}: raise NR_CPUS in {}",
                              one.machine.cpus, limit,
                              recipe.own_config.empty() ? recipe.file.string() : "your .config"));
  return {};
}

}  // namespace bisect_run::cli
