#include "cli/adapters.h"
#include "kernel/own_config.h"
#include "kernel/plan.h"
#include "model/try.h"
#include "wire/digest.h"

namespace bisect_run::cli {

BuildAdapter::BuildAdapter(const git::Repository& repository, git::WorkTree& tree,
                           kernel::Workshop& workshop, const Recipe& recipe, Progress& progress,
                           std::stop_token stop)
    : repository_(repository),
      tree_(tree),
      workshop_(workshop),
      recipe_(recipe),
      ancestry_(kernel::ancestry_of_interest(recipe)),
      progress_(progress),
      stop_(std::move(stop)) {}

Result<Image> BuildAdapter::build(const KernelSpec& spec) {
  BR_TRY_ASSIGN(auto key, repository_.tree_name(spec.commit));
  if (!spec.patches.empty()) {
    wire::Digest digest;
    for (const auto& patch : spec.patches) digest.add(patch.text);
    key += "+" + digest.hex();
  }
  BR_TRY_ASSIGN(const auto contained, contained_in(spec.commit));
  for (const auto& ancestor : contained) key += "~" + ancestor;
  const auto checkout = [&](const std::vector<Patch>& remedies) -> Result<kernel::Tree> {
    progress_.phase("checkout", 0);
    auto patches = spec.patches;
    patches.insert(patches.end(), remedies.begin(), remedies.end());
    BR_TRY_ASSIGN(auto on_disk, tree_.checkout(spec.commit, patches));
    return kernel::Tree{tree_.path(), std::move(on_disk), contained};
  };
  BR_TRY_ASSIGN(auto image, workshop_.build(key, spec.variant, checkout, stop_,
                                            [this](double fraction, std::string_view what) {
                                              progress_.phase(what, fraction);
                                            }));
  tell_of_lost_lines(image);
  return image;
}

void BuildAdapter::tell_of_lost_lines(const Image& image) {
  auto lost = kernel::lost_own_lines(recipe_.own_config, image.ledger);
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

}  // namespace bisect_run::cli
