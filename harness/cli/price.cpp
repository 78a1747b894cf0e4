#include "cli/price.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace bisect_run::cli {
namespace {

constexpr int kMostPlays = 8;    // a size
constexpr double kLooks = 24.5;  // pairs of the ends times d'^2 until they are told apart
constexpr double kMostPairs = 40;
constexpr double kVerification = 6;  // boots
constexpr double kBitBoots = 1.15;   // boots for one bit, times 25 / d'^2 where that is above 1

/// Commits under suspicion, evenly spread and never an end of the row: the (i+1/2)/n quantiles.
bisect::Node quantile(const std::vector<bisect::Node>& suspects, int i, int n) {
  return suspects[(2 * static_cast<std::size_t>(i) + 1) * suspects.size() /
                  (2 * static_cast<std::size_t>(n))];
}

std::vector<bisect::Node> suspects_in(const SearchSpace& space) {
  std::vector<bisect::Node> suspects;
  for (auto node = space.range.boundary; node < space.range.nodes.size(); ++node)
    if (space.behind.empty() || !space.behind[node]) suspects.push_back(node);
  return suspects;
}

}  // namespace

Price price_by_formula(double candidates, double effect, const Tariff& tariff) {
  const double bits = std::log2(std::max(2.0, candidates));
  const double separation = std::log1p(effect) / tariff.sigma;
  const double squared = separation * separation;
  Price price{.effect = effect};
  price.builds = bits + 2.5;
  price.boots = 2 * std::clamp(std::ceil(kLooks / squared), 5.0, kMostPairs) + kVerification +
                kBitBoots * bits * std::max(1.0, 25 / squared);
  price.seconds = price.builds * tariff.build_s + price.boots * tariff.boot_s;
  return price;
}

std::vector<Price> prices(bisect::Strategy& strategy, const SearchSpace& space,
                          const std::vector<double>& effects, const Tariff& tariff,
                          double patience_s) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(patience_s);
  const auto stop = [&] { return Clock::now() >= end; };
  const bisect::Graph graph(space.range);
  const auto suspects = suspects_in(space);
  std::vector<Price> sums;
  for (const double effect : effects) sums.push_back({.effect = effect});
  // All sizes once before any a second time; the dear ones last, since they take longest to play.
  for (int play = 0; play < kMostPlays && !stop(); ++play) {
    for (auto& sum : sums) {
      const bisect::Stage stage{.culprit = quantile(suspects, play * 3 % kMostPlays, kMostPlays),
                                .change = -std::log1p(sum.effect),
                                .sigma = tariff.sigma,
                                .build_s = tariff.build_s,
                                .boot_s = tariff.boot_s,
                                .seed = static_cast<std::uint64_t>(play) + 1};
      const auto outlay = bisect::rehearse(strategy, graph, stage, stop);
      if (!outlay.finished) break;
      sum.builds += outlay.builds;
      sum.boots += outlay.boots;
      sum.seconds += outlay.seconds;
      ++sum.rehearsals;
    }
  }
  for (auto& sum : sums) {
    if (sum.rehearsals == 0) {
      sum = price_by_formula(static_cast<double>(suspects.size()), sum.effect, tariff);
      continue;
    }
    sum.builds /= sum.rehearsals;
    sum.boots /= sum.rehearsals;
    sum.seconds /= sum.rehearsals;
  }
  return sums;
}

}  // namespace bisect_run::cli
