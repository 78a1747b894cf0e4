// rooms: stats bisect
// Any evidence at all, fed to the posterior engine in two helpings: it must not crash, not answer
// with a NaN, not name a node that does not exist, and say the same when it is asked from nothing.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "bisect/posterior.h"
#include "fuzz/fuzz.h"
#include "support/histories.h"

namespace {

using namespace bisect_run;
using bisect::Node;
using test::Bytes;
using test::require;

bool number(const std::optional<double>& value) {
  return std::isfinite(value.value_or(0));
}

void check(const bisect::Action& action, const bisect::Graph& graph) {
  if (const auto* boot = std::get_if<bisect::BootNode>(&action)) {
    require(boot->node < graph.size() && !boot->why.empty());
    return;
  }
  const auto& end = std::get<bisect::Conclusion>(action);
  for (Node node : end.nodes) require(node < graph.size());
  for (const auto& value : {end.delta, end.delta_low, end.delta_high, end.confidence,
                            end.two_changes, end.rest, end.rest_error})
    require(number(value));
  for (const bisect::FurtherChange& change : end.further)
    require(!change.nodes.empty() && std::isfinite(change.delta) &&
            std::isfinite(change.confidence));
}

/// What is said, as one string.
std::string words(const bisect::Action& action) {
  if (const auto* boot = std::get_if<bisect::BootNode>(&action))
    return std::to_string(boot->node) + boot->why;
  std::string text = std::get<bisect::Conclusion>(action).reason;
  for (Node node : std::get<bisect::Conclusion>(action).nodes) text += " " + std::to_string(node);
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bisect::Graph kLine(test::linear_range(24));
  static const bisect::Graph kMerges = [] {
    std::mt19937_64 random(3);
    return bisect::Graph(test::random_range(random, 30, 0.3));
  }();
  Bytes bytes(data, size);
  const std::uint8_t options = bytes.byte();
  const bisect::Graph& graph = (options & 1) != 0 ? kLine : kMerges;
  bisect::PosteriorSettings settings;
  settings.most_boots = 80;
  settings.most_layouts = 1 + (options >> 1) % 3;
  if ((options & 8) != 0) settings.min_effect = bytes.number(0.02);
  bisect::Evidence evidence;
  const auto strategy = bisect::make_posterior(graph, settings);
  double time = 0;
  for (int boot = 0; boot < 90 && !bytes.empty(); ++boot) {
    const std::uint8_t which = bytes.byte();
    // The first boots are of the ends, or nothing would ever be told apart.
    const Node node = boot < 10 && which < 240 ? (boot % 4 == 1 || boot % 4 == 2 ? graph.bad() : 0)
                                               : static_cast<Node>(which % graph.size());
    time = bytes.number(time + 30);
    const double level = node > graph.size() / 2 ? -0.3 : 0.0;
    const std::uint32_t build = which % 16 == 15 ? 7U : node;
    evidence.boots.push_back({node, build, bytes.number(level), time});
    if (which % 32 == 31)
      evidence.skipped.push_back({static_cast<Node>(which % graph.size()), "no"});
    if (boot % 24 == 23) check(strategy->next(evidence), graph);
  }
  const bisect::Action action = strategy->next(evidence);
  check(action, graph);
  require(words(action) == words(bisect::make_posterior(graph, settings)->next(evidence)));
  const auto outlook = strategy->outlook(evidence);
  require(std::isfinite(outlook.builds) && std::isfinite(outlook.boots));
  for (Node node = 0; node < graph.size(); ++node)
    require(!strategy->assess(evidence, node).reason.empty());
  return 0;
}
