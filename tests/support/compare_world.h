#pragma once

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "engine/comparison.h"
#include "support/fake_world.h"

// Comparisons in the noise of statistics.md, section 15, behind the engine's own ports: drift as a
// random walk, luck of a boot, bad boots, skewed samples with slow ones among them.

namespace bisect_run::test {

struct CompareNoise {
  double boot = 0.02, sample = 0.035, drift_8h = 0.05;
  double bad_boots = 0;  ///< share of boots that are 10 % slower
  double slow_samples = 0.05;
  double boot_s = 30;
};

class CompareWorld : public FakeWorld {
 public:
  CompareWorld(CompareNoise noise, int metrics, std::uint64_t seed)
      : noise_(noise), metrics_(metrics), random_(seed) {}

  /// By how much (natural logarithm) a kernel is slower.
  std::map<std::string, double> slower;

  Boot boot(const engine::BootRequest& request, engine::SampleSink& sink) override {
    seconds += noise_.boot_s;
    drift_ += normal_(random_) * noise_.drift_8h * std::sqrt(noise_.boot_s / 28800);
    double level = drift_ + noise_.boot * normal_(random_) - slower[request.spec.commit.hex];
    if (uniform_(random_) < noise_.bad_boots) level -= 0.10;
    Boot boot;
    boot.machine = request.machine;
    boot.wall_seconds = noise_.boot_s;
    boot.outcome = BootOutcome::complete;
    for (int metric = 0; metric < metrics_; ++metric)
      for (int chunk = 0; chunk < 9; ++chunk) {
        Sample sample;
        sample.metric = std::string(1, static_cast<char>('a' + metric));
        sample.mark = 50;
        sample.chunk = chunk;
        sample.items = 10;
        sample.wall_ns = static_cast<std::int64_t>(1e8 / std::exp(level + sample_noise()));
        if (!sink.sample(sample)) boot.outcome = BootOutcome::infra;
      }
    return boot;
  }

 private:
  double sample_noise() {
    const double l = std::exp(0.125), v = l * std::sqrt(std::exp(0.25) - 1);
    double noise = -(std::exp(0.5 * normal_(random_)) - l) / v * noise_.sample;
    if (uniform_(random_) < noise_.slow_samples) noise -= std::log(1.5);
    return noise;
  }

  CompareNoise noise_;
  int metrics_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_;
  double drift_ = 0;
};

/// What came of one comparison of three kernels, the first two alike.
struct Compared {
  int called_alike = 0;   ///< cells of the second kernel that were called: all of them wrong
  int called_slower = 0;  ///< cells of the third that were called slower
  int called_faster = 0;  ///< cells of the third that were called faster: wrong
  int cells = 0;          ///< of each kernel
  int boots = 0;
};

/// Plays one comparison with `effect` on the third kernel; judged at the end as a report does.
inline Compared play_comparison(const CompareNoise& noise, int metrics, double effect, int boots,
                                int most_boots, std::uint64_t seed) {
  CompareWorld world(noise, metrics, seed);
  world.slower["c"] = effect;
  engine::Prober prober(world.ports(), {}, {});
  engine::ComparisonSetup setup{.scenarios = {{}}, .boots = boots, .most_boots = most_boots};
  for (const auto* name : {"a", "b", "c"}) setup.cells.push_back({{name, {name}, {}, "none"}, {}});
  Compared result;
  result.cells = metrics;
  if (!engine::run_comparison(setup, prober)) return result;
  std::map<std::string, std::map<std::string, std::vector<double>>> values;
  for (const auto& record : prober.history().boots) {
    ++result.boots;
    std::map<std::string, std::vector<double>> samples;
    for (const auto& sample : record.samples)
      samples[sample.metric].push_back(1e10 / static_cast<double>(sample.wall_ns));
    for (const auto& [metric, numbers] : samples)
      values[record.spec.commit.hex][metric].push_back(*stats::median(numbers));
  }
  std::vector<stats::MatrixCell> cells;
  for (const auto* name : {"b", "c"})
    for (const auto& [metric, numbers] : values[name])
      cells.push_back({values["a"][metric], numbers, stats::Better::higher, false});
  stats::MatrixRule rule;
  rule.looks = static_cast<int>(stats::look_schedule(boots, most_boots).size());
  const auto judged = stats::judge(cells, rule);
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const bool alike = i < static_cast<std::size_t>(metrics);
    const auto verdict = judged[i]->verdict;
    const bool slow = verdict == stats::CellVerdict::slower;
    const bool fast = verdict == stats::CellVerdict::faster;
    result.called_alike += alike && (slow || fast) ? 1 : 0;
    result.called_slower += !alike && slow ? 1 : 0;
    result.called_faster += !alike && fast ? 1 : 0;
  }
  return result;
}

}  // namespace bisect_run::test
