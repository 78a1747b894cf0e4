#include "cli/arguments.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/arguments_check.h"
#include "cli/compare_options.h"
#include "cli/help_format.h"
#include "cli/host_options.h"
#include "cli/kernel_options.h"
#include "cli/manual.h"
#include "cli/reading_options.h"
#include "cli/search_options.h"
#include "cli/unknown_option.h"

namespace bisect_run::cli {
namespace {

constexpr const char* kGoodFirst =
    "Good comes first, as in the range v3.9..v3.15; `git bisect start` is the\nother way round.";
constexpr const char* kKernels = "A kernel is REV[+PATCH…][@VARIANT]: v3.15+fix.patch@all.";
constexpr const char* kExitCodes =
    "Exit codes: 0 answered; 1 no single answer; 2 wrong input; 3 the machine\nfailed, resumable; "
    "130 interrupted, resumable.";

/// A range check that says nothing in the help; its message names the bounds.
template <class Number>
CLI::Validator within(Number low, Number high) {
  return CLI::Range(low, high).description("");
}

void add_common(CLI::App& app, Arguments& a) {
  app.add_option("--results", a.results, "directory of results.db [results/ of a source tree]")
      ->type_name("DIR");
  app.add_flag("--quiet,-q", a.quiet, "print the answer only");
}

void add_measuring(CLI::App& app, Arguments& a) {
  app.add_option("--repo", a.repo,
                 "git repository of the kernel [the one around the current directory, else that "
                 "of kernels.yaml, else that of the last run]")
      ->type_name("DIR");
  app.add_option("--kernels", a.kernels_file, "how to build and boot [kernels.yaml]")
      ->type_name("FILE");
  app.add_option("--metric", a.metric, "the number that decides [the scenario's own]")
      ->type_name("NAME");
  app.add_option("--mode", a.mode, "how operations are made: fork, process or direct")
      ->type_name("MODE");
  app.add_option("--marks", a.marks, "item counts at which a rate is taken; the first decides")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(within(std::int64_t{1}, std::int64_t{100000}))
      ->type_name("N,N");
  app.add_option("--variant", a.variants,
                 "variants of kernels.yaml: off, none, zero, all, hz1000, …; those of one axis are "
                 "set side by side, those of different axes combined")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("V,V");
  app.add_option("--cpus", a.cpus, "vCPUs of the machine")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(within(1, 64))
      ->type_name("N,N");
  add_machine_options(app, a);
  add_build_options(app, a);
  app.add_option("--boots", a.boots,
                 "boots of each kernel; of a bisect the most it spends (three-way: on one commit)")
      ->check(within(1, 1000))
      ->type_name("N");
  add_connect(app, a);
  add_housekeeping(app, a);
}

void add_scenario(CLI::App& app, Arguments& a) {
  app.add_option("--scenario", a.scenario,
                 fmt::format("what to measure, or a file of your own [{}]", kDefaultScenario))
      ->type_name("NAME|FILE");
}

void add_strategy(CLI::App& app, Arguments& a) {
  app.add_option("--strategy", a.strategy,
                 "how commits are chosen and judged: posterior, or three-way, the plainer rule to "
                 "compare it with")
      ->capture_default_str()
      ->check(CLI::IsMember({"posterior", "three-way"}).description(""))
      ->type_name("NAME");
}

void add_prebuild(CLI::App& app, Arguments& a) {
  app.add_option("--prebuild", a.prebuild,
                 "kernels built at once while nothing is measured, where several commits are "
                 "likely next; each wants cores, and a source and object tree of its own")
      ->capture_default_str()
      ->check(within(1, 16))
      ->type_name("K");
}

void add_ends(CLI::App& app, Arguments& a, bool required) {
  const auto keep = [&a](const std::string& revision) { a.kernels.push_back(revision); };
  app.add_option_function<std::string>("GOOD", keep,
                                       "the good end: it comes first, as in GOOD..BAD")
      ->required(required)
      ->type_name("");
  app.add_option_function<std::string>("BAD", keep, "the bad end")
      ->required(required)
      ->type_name("");
}

CLI::App* add_command(CLI::App& app, Arguments& a, const char* name, const char* help,
                      CommandKind kind) {
  auto* command = app.add_subcommand(name, help);
  command->callback([&a, kind] { a.command = kind; });
  command->set_help_flag("--help,-h", "this text");
  command->footer(kExitCodes);
  return command;
}

void add_run(CLI::App& command, Arguments& a) {
  command.add_option("RUN", a.run, "a run's id or its beginning [the last run]")->type_name("");
}

void define(CLI::App& app, Arguments& a) {
  app.set_help_flag("--help,-h", "this text");
  app.set_version_flag("--version", "bisect-run 0.1.0", "the version");
  app.add_flag("--man", a.manual, "the manual page, for packages")->group("");
  app.add_flag("--bash-completion", a.completion, "for packages")->group("");
  app.formatter(help_format());
  app.require_subcommand(0, 1);
  app.footer(fmt::format("{}\n{}\n{}\n`bisect-run COMMAND --help` says more of a command.",
                         kGoodFirst, kKernels, kExitCodes));
  add_ends(app, a, false);
  add_common(app, a);
  add_measuring(app, a);
  add_scenario(app, a);
  add_search(app, a);
  add_strategy(app, a);
  add_prebuild(app, a);
  app.add_flag("--json", a.json, "print the answer as JSON");
  add_on_end(app, a);

  auto* compare = add_command(app, a, "compare", "set kernels side by side", CommandKind::compare);
  compare->footer(fmt::format("{}\n{}", kKernels, kExitCodes));
  add_compare_options(*compare, a);
  add_common(*compare, a);
  add_measuring(*compare, a);
  add_printing(*compare, a);
  add_on_end(*compare, a);

  auto* scenario = add_command(app, a, "scenario", "run, or re-run, one scenario on one kernel",
                               CommandKind::scenario);
  scenario->footer(fmt::format(
      "{}\n{}\nWith --judge: 0 good; 1 bad; 125 neither can be said; 128 or more: something is "
      "wrong,\nand `git bisect run` ends.",
      kKernels, kExitCodes));
  scenario->add_option("NAME", a.scenario, "a scenario of scenarios/, or a file of your own")
      ->required()
      ->type_name("");
  scenario->add_option("SPEC", a.kernels, "the kernel: REV[+PATCH…][@VARIANT]")
      ->expected(0, 1)
      ->type_name("");
  scenario->add_flag("--here", a.here, "on this machine's own kernel, in fresh namespaces, no VM");
  add_common(*scenario, a);
  add_measuring(*scenario, a);
  add_printing(*scenario, a);
  add_on_end(*scenario, a);

  scenario
      ->add_option(
          "--judge", a.judge,
          "for git bisect run: is it like the good or like the bad end of this file, which "
          "calibrate wrote? The exit code is the answer")
      ->type_name("FILE");

  auto* calibrate =
      add_command(app, a, "calibrate", "learn both levels and the noise, for `git bisect run`",
                  CommandKind::calibrate);
  calibrate->footer(fmt::format("{}\n{}", kGoodFirst, kExitCodes));
  add_ends(*calibrate, a, true);
  calibrate->add_option("--out", a.out, "where to write what was learnt")
      ->required()
      ->type_name("FILE");
  calibrate->add_flag("--find-fix", a.find_fix, "BAD is the better end");
  add_min_effect(*calibrate, a);
  add_common(*calibrate, a);
  add_measuring(*calibrate, a);
  add_scenario(*calibrate, a);
  add_on_end(*calibrate, a);

  auto* plan =
      add_command(app, a, "plan", "what a bisect would cost; builds nothing", CommandKind::plan);
  plan->footer(fmt::format("{}\n{}", kGoodFirst, kExitCodes));
  add_ends(*plan, a, false);
  add_search(*plan, a);
  add_strategy(*plan, a);
  add_common(*plan, a);
  add_measuring(*plan, a);
  add_scenario(*plan, a);

  auto* report = add_command(app, a, "report", "the answer and its evidence", CommandKind::report);
  add_run(*report, a);
  add_common(*report, a);
  report->add_option("--style", a.style, "shape of a comparison's table, as for compare")
      ->type_name("STYLE");
  report->add_option("--against", a.against, "published numbers to print beside ours")
      ->type_name("NAME");
  add_report_options(*report, a);

  auto* runs = add_command(app, a, "runs", "what the results hold", CommandKind::runs);
  add_common(*runs, a);
  add_runs_options(*runs, a);
  auto* show = add_command(app, a, "show", "how a run stands, finished or not", CommandKind::show);
  add_run(*show, a);
  add_common(*show, a);
  show->add_flag("--follow,-f", a.follow, "say what happens until the run ends");
  auto* resume =
      add_command(app, a, "resume", "go on with a run that was stopped", CommandKind::resume);
  add_run(*resume, a);
  add_common(*resume, a);
  add_budget(*resume, a, kAsBegun);
  add_connect(*resume, a, kAsBegun);
  add_housekeeping(*resume, a, kAsBegun);
  auto* doctor = add_command(app, a, "doctor", "what this machine can do, and what it lacks",
                             CommandKind::doctor);
  add_common(*doctor, a);
  doctor->add_option("--kernels", a.kernels_file, "how to build and boot [kernels.yaml]")
      ->type_name("FILE");
  add_connect(*doctor, a);
  auto* demo = add_command(app, a, "demo", "the main job on a small history made on the spot",
                           CommandKind::demo);
  add_common(*demo, a);
  demo->add_flag("--small", a.small,
                 "plant a change of about 10 % in place of one of 94 %, and measure it on one vCPU "
                 "by QEMU's virtual clock");
  add_budget(*demo, a);
  add_strategy(*demo, a);
  add_housekeeping(*demo, a);
  add_prebuild(*demo, a);
  add_on_end(*demo, a);
  add_connect(*demo, a);
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

}  // namespace

Result<Parsed> parse(int argc, const char* const* argv) {
  Arguments arguments;
  CLI::App app("Finds the commit that changed a measured number of the Linux kernel.",
               "bisect-run");
  try {
    define(app, arguments);
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    return Parsed{std::nullopt, chosen.empty() ? app.help() : chosen.front()->help()};
  } catch (const CLI::CallForVersion& version) {
    return Parsed{std::nullopt, std::string(version.what()) + "\n"};
  } catch (const CLI::Error& error) {
    if (auto meant = meant_command(commands_of(app), argc, argv); !meant.empty())
      return fail(ErrorKind::usage, std::move(meant));
    const auto chosen = app.get_subcommands();
    const auto unknown = unknown_option(app, argc, argv);
    return fail(ErrorKind::usage,
                fmt::format("{}; see bisect-run {}--help", unknown.empty() ? error.what() : unknown,
                            chosen.empty() ? "" : chosen.front()->get_name() + " "));
  }
  if (arguments.manual) return Parsed{std::nullopt, man_page(app)};
  if (arguments.completion) return Parsed{std::nullopt, bash_completion(app)};
  arguments.command_meant = meant_command(commands_of(app), argc, argv);
  if (auto status = check(arguments); !status) {
    if (!arguments.command_meant.empty())
      return fail(ErrorKind::usage, std::move(arguments.command_meant));
    return std::unexpected(status.error());
  }
  return Parsed{std::move(arguments), {}};
}

}  // namespace bisect_run::cli
