#include "engine/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "engine/comparison_plan.h"
#include "engine/evidence.h"
#include "model/spec_key.h"
#include "model/try.h"

namespace bisect_run::engine {
namespace {

class Comparison {
 public:
  Comparison(const ComparisonSetup& setup, Prober& prober) : setup_(setup), prober_(prober) {}

  Status run() {
    for (const auto& cell : setup_.cells) {
      prober_.ports().observer.probing(cell.spec, "all kernels are built first");
      BR_TRY(prober_.image(cell.spec));
    }
    lanes_ = lanes_of(setup_, prober_.history());
    std::vector<std::size_t> wanting(lanes_.size());
    std::iota(wanting.begin(), wanting.end(), std::size_t{0});
    for (const int wanted : stats::look_schedule(setup_.boots, setup_.most_boots)) {
      BR_TRY(raise(wanting, wanted));
      wanting = undecided_lanes(setup_, lanes_, prober_.history());
      if (wanting.empty()) break;
    }
    return {};
  }

 private:
  /// Brings the lanes to `wanted` boots each, one round after the other.
  Status raise(std::vector<std::size_t> lanes, int wanted) {
    for (int round = 1; round <= wanted; ++round) {
      for (const auto lane : lanes) {
        prober_.ports().observer.outlook(0, boots_left(lanes, wanted));
        BR_TRY(raise_one(lanes_[lane], round, wanted));
      }
      std::ranges::reverse(lanes);
    }
    return {};
  }

  Status raise_one(const Lane& lane, int round, int wanted) {
    auto& observer = prober_.ports().observer;
    while (complete_boots(prober_.history(), lane) < round) {
      if (given_up(lane)) return {};
      observer.probing(lane.cell->spec, fmt::format("boot {} of {} on {}{}", round, wanted,
                                                    describe(lane.cell->machine), named(lane)));
      BR_TRY_ASSIGN(const Image* image, prober_.image(lane.cell->spec));
      if (!image) return {};
      BR_TRY_ASSIGN(const auto record,
                    prober_.boot(lane.cell->spec, lane.cell->machine, *lane.scenario));
      observer.booted(lane.cell->spec, record.boot, std::nullopt);
    }
    return {};
  }

  bool given_up(const Lane& lane) const {
    return skip_reason(prober_.history(), spec_key(lane.cell->spec), lane.cell->machine, nullptr,
                       lane.scenario->digest)
        .has_value();
  }

  std::string named(const Lane& lane) const {
    return setup_.scenarios.size() > 1 ? ", " + lane.scenario->name : "";
  }

  double boots_left(const std::vector<std::size_t>& lanes, int wanted) const {
    double left = 0;
    for (const auto lane : lanes)
      if (!given_up(lanes_[lane]))
        left += std::max(0, wanted - complete_boots(prober_.history(), lanes_[lane]));
    return left;
  }

  const ComparisonSetup& setup_;
  Prober& prober_;
  std::vector<Lane> lanes_;
};

}  // namespace

Status run_comparison(const ComparisonSetup& setup, Prober& prober) {
  ComparisonSetup counted = setup;
  counted.rule.looks = static_cast<int>(stats::look_schedule(setup.boots, setup.most_boots).size());
  return Comparison(counted, prober).run();
}

}  // namespace bisect_run::engine
