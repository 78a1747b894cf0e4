#include "engine/comparison.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/evidence.h"
#include "model/spec_key.h"
#include "model/try.h"

namespace bisect_run::engine {
namespace {

int complete_boots(const History& history, const Cell& cell) {
  const auto key = spec_key(cell.spec);
  return static_cast<int>(std::ranges::count_if(history.boots, [&](const BootRecord& record) {
    return record.boot.outcome == BootOutcome::complete && record.boot.machine == cell.machine &&
           spec_key(record.spec) == key;
  }));
}

/// Brings one cell to `wanted` complete boots, or gives it up.
Status raise(const Cell& cell, int wanted, const ComparisonSetup& setup, Prober& prober) {
  auto& observer = prober.ports().observer;
  while (complete_boots(prober.history(), cell) < wanted) {
    if (skip_reason(prober.history(), spec_key(cell.spec), cell.machine)) return {};
    observer.probing(cell.spec, fmt::format("boot {} of {} on {}", wanted, setup.boots,
                                            describe(cell.machine)));
    BR_TRY_ASSIGN(const Image* image, prober.image(cell.spec));
    if (!image) return {};
    BR_TRY_ASSIGN(const auto record, prober.boot(cell.spec, cell.machine, setup.scenario));
    observer.booted(cell.spec, record.boot, std::nullopt);
  }
  return {};
}

double boots_left(const ComparisonSetup& setup, const History& history) {
  double left = 0;
  for (const auto& cell : setup.cells)
    if (!skip_reason(history, spec_key(cell.spec), cell.machine))
      left += std::max(0, setup.boots - complete_boots(history, cell));
  return left;
}

}  // namespace

Status run_comparison(const ComparisonSetup& setup, Prober& prober) {
  for (const auto& cell : setup.cells) {
    prober.ports().observer.probing(cell.spec, "all kernels are built first");
    BR_TRY(prober.image(cell.spec));
  }
  for (int round = 1; round <= setup.boots; ++round) {
    std::vector<const Cell*> order;
    for (const auto& cell : setup.cells) order.push_back(&cell);
    if (round % 2 == 0) std::ranges::reverse(order);
    for (const auto* cell : order) {
      prober.ports().observer.outlook(0, boots_left(setup, prober.history()));
      BR_TRY(raise(*cell, round, setup, prober));
    }
  }
  return {};
}

}  // namespace bisect_run::engine
