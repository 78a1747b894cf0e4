#pragma once

#include <cmath>
#include <set>
#include <string>

#include "engine/bisection.h"
#include "support/bisect_contest.h"
#include "support/fake_world.h"

// The world of the decision benchmark behind the engine's own ports: the whole loop, from builds
// and samples to the answer, without kernels.

namespace bisect_run::test {

/// Kernels are named by the node numbers that make_range() gives them.
class PortedWorld : public engine::Builder,
                    public engine::Lab,
                    public engine::Recorder,
                    public engine::SampleSink,
                    public engine::Clock {
 public:
  explicit PortedWorld(BisectWorld& world) : world_(world) {}

  engine::Ports ports() { return {*this, *this, *this, *this, observer_}; }

  Result<Image> build(const KernelSpec& spec) override {
    if (!world_.build(node_of(spec))) return fail(ErrorKind::skip_build, "does not build");
    if (layout_of(spec) > 0) layouts.insert(image_of(spec).signature);
    return image_of(spec);
  }
  /// Costs a build each, but the time of one.
  std::vector<Result<Image>> build_together(std::span<const KernelSpec> specs) override {
    std::vector<Result<Image>> outcomes;
    for (const auto& spec : specs) {
      const bool works =
          outcomes.empty() ? world_.build(node_of(spec)) : world_.build_beside(node_of(spec));
      outcomes.push_back(works ? Result<Image>(image_of(spec))
                               : Result<Image>(fail(ErrorKind::skip_build, "does not build")));
    }
    return outcomes;
  }
  Boot boot(const engine::BootRequest& request, engine::SampleSink& sink) override {
    Boot boot;
    boot.machine = request.machine;
    boot.outcome = BootOutcome::complete;
    boot.wall_seconds = world_.options().boot_s;
    booted.insert(request.image.signature);
    int chunk = 0;
    for (double y : world_.boot_samples(node_of(request.spec), layout_of(request.spec))) {
      Sample sample;
      sample.metric = "m";
      sample.chunk = chunk++;
      sample.value = std::exp(y);
      static_cast<void>(sink.sample(sample));
    }
    return boot;
  }
  Status journal(std::string_view, std::string_view) override { return {}; }
  Status built(const KernelSpec&, const Result<Image>&) override { return {}; }
  Result<engine::SampleSink*> boot_started(const engine::BootRequest&) override { return this; }
  Result<std::int64_t> boot_ended(const Boot&, double) override { return ++boots_; }
  Status handshake(const Handshake&) override { return {}; }
  Status sample(const Sample&) override { return {}; }
  double now() const override { return world_.now(); }

  static constexpr std::string_view kLayout = "none,layout";  ///< and a number above 0
  std::set<std::string> layouts;                              ///< kernels built at other addresses
  std::set<std::string> booted;                               ///< all that were

 private:
  static Node node_of(const KernelSpec& spec) {
    return static_cast<Node>(std::stoul(spec.commit.hex));
  }
  static std::uint32_t layout_of(const KernelSpec& spec) {
    return spec.variant.starts_with(kLayout)
               ? static_cast<std::uint32_t>(std::stoul(spec.variant.substr(kLayout.size())))
               : 0;
  }
  Image image_of(const KernelSpec& spec) const {
    Image image;
    image.signature = spec.commit.hex + spec.variant;
    image.build_key = image.signature;
    image.build_seconds = world_.options().build_s;
    return image;
  }

  BisectWorld& world_;
  QuietObserver observer_;
  std::int64_t boots_ = 0;
};

/// Plays a strategy through the engine; `prebuild` as in BisectionSetup, `layouts` the number of
/// other layouts that can be built.
inline RunResult play_engine(const Range& range, std::unique_ptr<bisect::Strategy> strategy,
                             BisectWorld& world, std::size_t prebuild = 1, int layouts = 0) {
  PortedWorld ported(world);
  engine::Prober prober(ported.ports(), {}, {});
  engine::BisectionSetup setup;
  setup.range = range;
  setup.variant = "none";
  setup.question = {.metric = "m"};
  setup.prebuild = prebuild;
  for (int i = 1; i <= layouts; ++i)
    setup.layouts.push_back(std::string(PortedWorld::kLayout) + std::to_string(i));
  const auto findings = engine::Bisection(setup, std::move(strategy), prober).run();
  RunResult result;
  result.builds = world.builds;
  result.layouts = static_cast<int>(ported.layouts.size());
  for (const auto& kernel : ported.layouts)
    if (!ported.booted.contains(kernel)) ++result.idle_layouts;
  result.boots = world.boots;
  result.cost = world.cost();
  result.wall = world.now();
  if (!findings) return result;
  const Answer& answer = findings->answer;
  const auto nodes_of = [](const std::vector<Commit>& commits) {
    std::vector<Node> nodes;
    for (const auto& commit : commits)
      nodes.push_back(static_cast<Node>(std::stoul(commit.oid.hex)));
    return nodes;
  };
  // Judged as the strategy's own conclusion would be.
  bisect::Conclusion end;
  end.kind = findings->status == RunStatus::refused ? bisect::Conclusion::Kind::refused
             : answer.kind == Answer::Kind::commit  ? bisect::Conclusion::Kind::commit
             : answer.kind == Answer::Kind::set     ? bisect::Conclusion::Kind::set
                                                    : bisect::Conclusion::Kind::none;
  end.nodes = nodes_of(answer.commits);
  end.reason = answer.reason;
  end.two_changes = answer.two_changes;
  for (const auto& further : answer.further)
    end.further.push_back({.nodes = nodes_of(further.commits)});
  judge(end, world, result);
  return result;
}

}  // namespace bisect_run::test
