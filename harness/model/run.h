#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/kernel.h"
#include "model/machine.h"

namespace bisect_run {

enum class RunKind { bisect, compare, scenario };
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

/// A resumable piece of work, as asked for. Stored whole, so that `resume` needs nothing else.
struct RunRequest {
  RunKind kind = RunKind::bisect;
  std::string repository;             ///< absolute path
  std::vector<KernelSpec> kernels;    ///< bisect: good, bad; else the columns
  std::string scenario;               ///< name
  std::string mode;
  std::vector<RequestedScenario> more_scenarios;  ///< of a comparison, beside that one
  std::string metric;                 ///< the deciding one; for compare and scenario: empty is all
  std::vector<std::int64_t> marks;    ///< empty: the scenario's own
  std::vector<int> cpus;              ///< one for a bisect
  Machine machine;
  int boots = 0;                      ///< compare and scenario: per cell; bisect: the most it may spend, 0 is the default
  int most_boots = 0;                 ///< compare: so many where fewer leave a cell undecided; 0: never more than `boots`
  double min_effect = 0.02;           ///< compare: a smaller relative difference is none
  std::string on_end;                 ///< a command of the person's, run when the run has ended
  bool find_fix = false;              ///< the change sought makes it faster
  std::string strategy = "posterior"; ///< of a bisect: posterior, or three-way to compare with
};

}  // namespace bisect_run
