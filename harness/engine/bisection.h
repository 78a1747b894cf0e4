#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "bisect/strategy.h"
#include "engine/allowance.h"
#include "engine/evidence.h"
#include "engine/prober.h"
#include "engine/unread.h"
#include "model/run.h"

namespace bisect_run::engine {

struct BisectionSetup {
  Range range;
  std::string variant;
  Scenario scenario;
  Machine machine;
  Question question;
  std::vector<std::string> layouts;  ///< variants: `variant` with other code layouts
  std::vector<Oid> untestable;       ///< never tried: the person says that they cannot be
  Allowance allowance;       ///< see Bisection::run; the strategy has its own limit of boots
  std::string budget;        ///< what the deadline comes from, for a person: 6 h
  std::size_t prebuild = 1;  ///< kernels that are built at once, where several are likely next
};

struct Findings {
  RunStatus status = RunStatus::running;
  Answer answer;
  std::vector<Probe> probes;  ///< in the order of the commits
  bool out_of_time = false;   ///< the deadline ended it: more time may give a better answer
};

/// Asks the strategy, does what it says, until it concludes; then the one answer is taken back on
/// top of BAD, where that is possible. The same history gives the same
/// decisions, so a run goes on after a crash as if nothing had been.
class Bisection {
 public:
  Bisection(BisectionSetup setup, std::unique_ptr<bisect::Strategy> strategy, Prober& prober);

  /// Begins nothing that would probably end after the deadline: then the best answer so far is
  /// given. Errors: infra or interrupted; the run stays resumable.
  Result<Findings> run();

 private:
  bisect::Evidence evidence() const;
  KernelSpec spec_of(bisect::Node node) const;
  KernelSpec spec_of(const bisect::BootNode& action, const bisect::Evidence& evidence) const;
  Status act(const bisect::BootNode& action, const bisect::Evidence& evidence);
  Result<bool> build_ahead(const bisect::BootNode& action, const bisect::Evidence& evidence);
  Result<Findings> finish(const bisect::Conclusion& conclusion);
  Findings conclude(const bisect::Conclusion& conclusion);
  std::vector<Probe> probes(const bisect::Evidence& evidence);

  BisectionSetup setup_;
  NodeIndex index_;
  std::unique_ptr<bisect::Strategy> strategy_;
  Prober& prober_;
  Unread unread_;
};

}  // namespace bisect_run::engine
