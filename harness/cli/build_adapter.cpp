#include "cli/adapters.h"
#include "model/try.h"
#include "wire/digest.h"

namespace bisect_run::cli {

BuildAdapter::BuildAdapter(const git::Repository& repository, git::WorkTree& tree,
                           kernel::Workshop& workshop, std::set<std::string> ancestry,
                           Progress& progress, std::stop_token stop)
    : repository_(repository),
      tree_(tree),
      workshop_(workshop),
      ancestry_(std::move(ancestry)),
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
  return workshop_.build(
      key, spec.variant, checkout, stop_,
      [this](double fraction, std::string_view what) { progress_.phase(what, fraction); });
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
