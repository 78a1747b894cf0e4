#include "cli/adapters.h"
#include "model/try.h"
#include "wire/digest.h"

namespace bisect_run::cli {

BuildAdapter::BuildAdapter(const git::Repository& repository, git::WorkTree& tree,
                           kernel::Workshop& workshop, Progress& progress, std::stop_token stop)
    : repository_(repository),
      tree_(tree),
      workshop_(workshop),
      progress_(progress),
      stop_(std::move(stop)) {}

Result<Image> BuildAdapter::build(const KernelSpec& spec) {
  BR_TRY_ASSIGN(auto key, repository_.tree_name(spec.commit));
  if (!spec.patches.empty()) {
    wire::Digest digest;
    for (const auto& patch : spec.patches) digest.add(patch.text);
    key += "+" + digest.hex();
  }
  const auto checkout = [&]() -> Result<kernel::Tree> {
    progress_.phase("checkout", 0);
    BR_TRY_ASSIGN(auto on_disk, tree_.checkout(spec.commit, spec.patches));
    return kernel::Tree{tree_.path(), std::move(on_disk)};
  };
  return workshop_.build(
      key, spec.variant, checkout, stop_,
      [this](double fraction, std::string_view what) { progress_.phase(what, fraction); });
}

}  // namespace bisect_run::cli
