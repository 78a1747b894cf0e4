#include <thread>

#include "cli/adapters.h"
#include "kernel/own_config.h"
#include "kernel/plan.h"
#include "model/try.h"
#include "wire/digest.h"

namespace bisect_run::cli {

BuildAdapter::BuildAdapter(const git::Repository& repository, std::vector<git::WorkTree>& trees,
                           kernel::Workshop& workshop, const Recipe& recipe, Progress& progress,
                           std::stop_token stop)
    : repository_(repository),
      trees_(trees),
      workshop_(workshop),
      recipe_(recipe),
      ancestry_(kernel::ancestry_of_interest(recipe)),
      progress_(progress),
      stop_(std::move(stop)) {}

Result<BuildAdapter::Wanted> BuildAdapter::wanted(const KernelSpec& spec) const {
  Wanted wanted;
  BR_TRY_ASSIGN(wanted.key, repository_.tree_name(spec.commit));
  if (!spec.patches.empty()) {
    wire::Digest digest;
    for (const auto& patch : spec.patches) digest.add(patch.text);
    wanted.key += "+" + digest.hex();
  }
  BR_TRY_ASSIGN(wanted.contained, contained_in(spec.commit));
  for (const auto& ancestor : wanted.contained) wanted.key += "~" + ancestor;
  return wanted;
}

Result<Image> BuildAdapter::build_in(git::WorkTree& tree, const Wanted& wanted,
                                     const KernelSpec& spec) {
  const auto checkout = [&](const std::vector<Patch>& remedies) -> Result<kernel::Tree> {
    progress_.phase("checkout", 0);
    auto patches = spec.patches;
    patches.insert(patches.end(), remedies.begin(), remedies.end());
    BR_TRY_ASSIGN(auto on_disk, tree.checkout(spec.commit, patches));
    return kernel::Tree{tree.path(), std::move(on_disk), wanted.contained};
  };
  return workshop_.build(
      wanted.key, spec.variant, checkout, stop_,
      [this](double fraction, std::string_view what) { progress_.phase(what, fraction); });
}

void BuildAdapter::tell_of_lost_lines(const Result<Image>& image) {
  if (!image) return;
  auto lost = kernel::lost_own_lines(recipe_.own_config, image->ledger);
  if (!lost.empty() && lost != told_) progress_.note(lost);
  told_ = std::move(lost);
}

/// Equal files may have different histories, so what a commit contains is part of its tree's name.
Result<std::set<std::string>> BuildAdapter::contained_in(const Oid& commit) const {
  std::set<std::string> contained;
  for (const auto& ancestor : ancestry_) {
    BR_TRY_ASSIGN(const bool there, repository_.contains(commit, ancestor));
    if (there) contained.insert(ancestor);
  }
  return contained;
}

Result<Image> BuildAdapter::build(const KernelSpec& spec) {
  BR_TRY_ASSIGN(const auto named, wanted(spec));
  auto image = build_in(trees_.front(), named, spec);
  tell_of_lost_lines(image);
  return image;
}

/// One thread a tree, each taking every so many-th kernel. The repository is for one thread: it is
/// asked before they begin.
std::vector<Result<Image>> BuildAdapter::build_together(std::span<const KernelSpec> specs) {
  std::vector<Result<Wanted>> named;
  for (const auto& spec : specs) named.push_back(wanted(spec));
  std::vector<Result<Image>> outcomes(
      specs.size(), Result<Image>(fail(ErrorKind::interrupted, "stopped before a build")));
  {
    std::vector<std::jthread> lanes;
    for (std::size_t lane = 0; lane < std::min(trees_.size(), specs.size()); ++lane)
      lanes.emplace_back([&, lane] {
        for (std::size_t i = lane; i < specs.size(); i += trees_.size())
          outcomes[i] = named[i] ? build_in(trees_[lane], *named[i], specs[i])
                                 : Result<Image>(std::unexpected(named[i].error()));
      });
  }
  for (const auto& outcome : outcomes) tell_of_lost_lines(outcome);
  return outcomes;
}

}  // namespace bisect_run::cli
