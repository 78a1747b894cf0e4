#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/kernel.h"
#include "model/machine.h"

namespace bisect_run {

/// `calibrate` and `judge` are what a bisection by `git bisect run` is made of.
enum class RunKind { bisect, compare, scenario, calibrate, judge };
enum class RunStatus { running, answered, unanswered, refused, failed, interrupted };

std::string_view to_string(RunKind kind);
std::string_view to_string(RunStatus status);
std::optional<RunKind> run_kind_from(std::string_view word);
std::optional<RunStatus> run_status_from(std::string_view word);

/// A scenario of a comparison that measures several.
struct RequestedScenario {
  std::string name;
  std::string mode;
  std::string digest;  ///< as in model/scenario.h

  bool operator==(const RequestedScenario&) const = default;
};

/// What a person changes of how kernels are built; empty fields leave it to the recipe.
struct BuildChoice {
  std::string cc;
  std::vector<std::string> make_args;  ///< NAME=value, after the recipe's
  std::string config;                  ///< absolute path of a .config of their own

  bool operator==(const BuildChoice&) const = default;
};

/// What a person says of the host that does the work; it changes no kernel. Empty fields leave it
/// to the recipe, and the URI to the program.
struct HostChoice {
  std::string isolate_builds;  ///< auto, always or never
  std::string cache_size;      ///< as typed: 20GB
  std::string connect;         ///< libvirt URI

  bool operator==(const HostChoice&) const = default;
};

/// A resumable piece of work, as asked for. Stored whole, so that `resume` needs nothing else.
struct RunRequest {
  RunKind kind = RunKind::bisect;
  std::string repository;  ///< absolute path
  /// bisect, calibrate: good, bad; judge: good, subject, bad; else the columns
  std::vector<KernelSpec> kernels;
  std::string scenario;  ///< name
  std::string mode;
  std::vector<RequestedScenario> more_scenarios;  ///< of a comparison, beside that one
  std::string metric;               ///< the deciding one; for compare and scenario: empty is all
  std::vector<std::int64_t> marks;  ///< empty: the scenario's own
  std::vector<int> cpus;            ///< one for a bisect
  Machine machine;
  int boots = 0;  ///< compare and scenario: per cell; bisect: the most it may spend, 0: default
  int most_boots = 0;  ///< compare: where fewer leave a cell undecided; 0: never above `boots`
  bool fail_on_regression = false;  ///< compare: a slower cell is exit code 1
  std::string on_end;               ///< a command of the person's, run when the run has ended
  int prebuild = 1;                 ///< bisect: kernels built at once while nothing is measured
  bool find_fix = false;            ///< the change sought makes it faster
  BuildChoice build;
  HostChoice host;
  std::string strategy = "posterior";  ///< of a bisect: posterior, or three-way to compare with
  double budget_s = 0;                 ///< of a bisect: the most it may work; 0: no limit
  double confidence = 0;               ///< at which one commit is named; 0: the strategy's default
  double min_effect = 0;               ///< smallest relative change worth a name; 0: the default
  std::vector<Oid> more_good;          ///< further good ends: claimed by the person, not measured
  std::vector<Oid> untestable;         ///< commits that are never tried, for the person says so
  std::vector<std::string> paths;    ///< commits that touch none of them are set behind; empty: all
  std::vector<std::string> layouts;  ///< variants: the run's own at other addresses, where doubted
  bool first_parent = false;         ///< merges are followed along their first parent only
  std::string judge_file;            ///< calibrate writes it, judge goes by it; absolute path
  std::string imported;              ///< the bisect log that the ends were taken from; may be empty
};

/// A kernel on a machine: what a column of a comparison is made of.
struct Placed {
  KernelSpec spec;
  Machine machine;
};

/// Every kernel of a comparison on every machine it is asked for on: its own where it has one,
/// else `machine` with each number of vCPUs.
std::vector<Placed> placed_kernels(const RunRequest& request, const Machine& machine);

}  // namespace bisect_run
