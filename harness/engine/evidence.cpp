#include "engine/evidence.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/boot_value.h"
#include "engine/revert_test.h"
#include "model/spec_key.h"
#include "stats/summary.h"

namespace bisect_run::engine {
namespace {

bool blames_kernel(BootOutcome outcome) {
  switch (outcome) {
    case BootOutcome::panic:
    case BootOutcome::hang:
    case BootOutcome::gone:
    case BootOutcome::wrong_kernel:
    case BootOutcome::variant_lost:
    case BootOutcome::scenario_failed:
    case BootOutcome::protocol:
      return true;
    case BootOutcome::running:
    case BootOutcome::complete:
    case BootOutcome::infra:
    case BootOutcome::interrupted:
    case BootOutcome::disturbed:
      return false;
  }
  return false;
}

/// What is known of each kernel of the run, by spec key.
struct Kernels {
  std::map<std::string, std::string> identity_of;  // key → identity
  std::map<std::string, std::uint32_t> build_of;   // identity → small number
};

Kernels index_builds(const History& history) {
  Kernels kernels;
  for (const auto& build : history.builds) {
    if (!build.image) continue;
    const auto same = identity(*build.image);
    kernels.identity_of[spec_key(build.spec)] = same;
    kernels.build_of.emplace(same, static_cast<std::uint32_t>(kernels.build_of.size()));
  }
  return kernels;
}

}  // namespace

std::string identity(const Image& image) {
  std::string identity = image.signature;
  for (const auto& argument : image.boot_args) identity += " " + argument;
  return identity;
}

double to_y(const Question& question, double value) {
  const bool bad_is_lower = question.higher_is_better != question.find_fix;
  return bad_is_lower ? std::log(value) : -std::log(value);
}

double to_effect(const Question& question, double delta_y) {
  const bool bad_is_lower = question.higher_is_better != question.find_fix;
  return std::expm1(bad_is_lower ? delta_y : -delta_y);
}

std::optional<std::string> skip_reason(const History& history, const std::string& key,
                                       const Machine& machine, const Question* question,
                                       std::string_view scenario_digest) {
  for (const auto& build : history.builds)
    if (spec_key(build.spec) == key && build.error) return build.error->message;
  std::optional<std::string> reason;
  int failed = 0, complete = 0;
  for (const auto& record : history.boots) {
    if (spec_key(record.spec) != key || record.boot.machine != machine) continue;
    if (!scenario_digest.empty() && record.scenario_digest != scenario_digest) continue;
    if (blames_kernel(record.boot.outcome)) {
      ++failed;
      reason = std::string(to_string(record.boot.outcome)) + ": " + record.boot.reason;
    } else if (record.boot.outcome == BootOutcome::complete) {
      const bool counts = !question || boot_value(record.samples, question->metric, question->mark);
      ++(counts ? complete : failed);
      if (!counts) reason = "no usable number for " + question->metric;
    }
  }
  if (failed >= 2 && failed >= complete) return reason;
  return std::nullopt;
}

NodeIndex::NodeIndex(const Range& range, std::string variant, std::vector<std::string> layouts)
    : variant_(std::move(variant)), layouts_(std::move(layouts)) {
  for (bisect::Node node = 0; node < range.nodes.size(); ++node)
    nodes_.emplace(range.nodes[node].oid.hex, node);
}

std::optional<bisect::Node> NodeIndex::find(const KernelSpec& spec) const {
  if (!variant_.empty() && spec.variant != variant_) return std::nullopt;
  return of_commit(spec);
}

std::optional<bisect::Node> NodeIndex::find_any(const KernelSpec& spec) const {
  if (std::ranges::find(layouts_, spec.variant) != layouts_.end()) return of_commit(spec);
  return find(spec);
}

std::optional<bisect::Node> NodeIndex::of_commit(const KernelSpec& spec) const {
  if (!spec.patches.empty()) return std::nullopt;
  const auto found = nodes_.find(spec.commit.hex);
  return found == nodes_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<bisect::Prices> prices_of(const History& history) {
  std::vector<double> builds, boots;
  for (const auto& build : history.builds)
    if (build.image && !build.image->cached) builds.push_back(build.image->build_seconds);
  for (const auto& record : history.boots) {
    if (is_reverted(record.spec)) break;
    if (record.boot.outcome == BootOutcome::complete) boots.push_back(record.boot.wall_seconds);
  }
  if (builds.size() < 2 || boots.empty()) return std::nullopt;
  const auto build = stats::mean(std::span(builds).subspan(1));
  const auto boot = stats::mean(boots);
  if (!build || !boot || *build <= 0 || *boot <= 0) return std::nullopt;
  return bisect::Prices{*build, *boot};
}

bisect::Evidence gather(const History& history, const NodeIndex& index, const Machine& machine,
                        const Question& question) {
  const Kernels kernels = index_builds(history);
  std::map<std::string, std::vector<bisect::Node>> nodes_of;  // identity → nodes
  bisect::Evidence evidence;
  evidence.prices = prices_of(history);
  for (const auto& build : history.builds) {
    const auto node = index.find_any(build.spec);
    if (!node) continue;
    const bool plain = index.find(build.spec).has_value();
    const auto key = spec_key(build.spec);
    if (auto reason = skip_reason(history, key, machine, &question)) {
      if (plain) evidence.skipped.push_back({*node, *reason});
      evidence.layouts_fail = evidence.layouts_fail || !plain;
      if (!plain) continue;
    }
    if (!build.image) continue;
    auto& nodes = nodes_of[kernels.identity_of.at(key)];
    if (std::ranges::find(nodes, *node) == nodes.end()) nodes.push_back(*node);
    if (plain) evidence.built.push_back(*node);
  }
  for (const auto& record : history.boots) {
    if (is_reverted(record.spec)) break;
    const auto own = index.find_any(record.spec);
    if (!own || record.boot.outcome != BootOutcome::complete) continue;
    const auto value = boot_value(record.samples, question.metric, question.mark);
    const auto same = kernels.identity_of.find(spec_key(record.spec));
    if (!value || same == kernels.identity_of.end()) continue;
    for (const auto node : nodes_of[same->second])
      evidence.boots.push_back({.node = node,
                                .build = kernels.build_of.at(same->second),
                                .y = to_y(question, *value),
                                .time_s = record.ended_at,
                                .shared = node != *own});
  }
  return evidence;
}

std::optional<std::string> layout_of(const bisect::BootNode& action, const History& history,
                                     const NodeIndex& index, const bisect::Evidence& evidence) {
  if (action.layout == 0) return std::nullopt;
  std::set<std::uint32_t> seen;
  std::vector<std::uint32_t> of_node;  // as they were booted first; a build is its first node's
  for (const auto& boot : evidence.boots)
    if (seen.insert(boot.build).second && boot.node == action.node) of_node.push_back(boot.build);
  const Kernels kernels = index_builds(history);
  std::set<std::string> tried;
  std::optional<std::string> unbooted;
  for (const auto& build : history.builds) {
    if (index.find_any(build.spec) != action.node || index.find(build.spec)) continue;
    const auto& variant = build.spec.variant;
    tried.insert(variant);
    if (!build.image) continue;
    const auto number = kernels.build_of.at(identity(*build.image));
    const auto place = std::ranges::find(of_node, number) - of_node.begin();
    if (place == static_cast<std::ptrdiff_t>(action.layout)) return variant;
    if (place == std::ssize(of_node) && !unbooted) unbooted = variant;
  }
  if (unbooted) return unbooted;
  for (const auto& variant : index.layouts())
    if (!tried.contains(variant)) return variant;
  return std::nullopt;
}

}  // namespace bisect_run::engine
