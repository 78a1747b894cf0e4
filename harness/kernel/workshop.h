#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/cache_budget.h"
#include "kernel/compiler.h"
#include "kernel/fact_store.h"
#include "kernel/image_cache.h"
#include "kernel/isolation.h"
#include "kernel/make.h"
#include "kernel/object_dir.h"
#include "kernel/remedy_files.h"
#include "model/error.h"
#include "model/kernel.h"
#include "model/recipe.h"

namespace bisect_run::kernel {

struct Settings {
  std::filesystem::path cache;     ///< images/, objects/, ccache/, facts/, … lie below it
  std::filesystem::path remedies;  ///< our own headers, wrappers and patches; may be empty
  Recipe recipe;
  int jobs = 0;              ///< 0: one a core
  double deadline_s = 3600;  ///< of one make, and for the wait for another controller's
  std::uint64_t free_bytes_needed = std::uint64_t{1} << 30;  ///< before a build is begun
  std::string scope;        ///< kernels of different scopes never share an object directory
  std::string search_path;  ///< PATH for make; empty: ours
  std::vector<std::filesystem::path> spare_copies;  ///< files of finished runs that can go too
};

/// A checked-out tree with patches and remedies applied.
struct Tree {
  std::filesystem::path path;
  std::string tree_oid;  ///< of what lies there; empty: as the caller of `build` called it
  std::set<std::string> ancestors;  ///< which of `ancestry_of_interest` it contains
};

/// Called only when something must be looked at or built; a second time, with patches to lay on
/// top, where a remedy has some.
using Checkout = std::function<Result<Tree>(const std::vector<Patch>& remedies)>;
/// Fraction of make's work, 0 to 1, and what it is at.
using Progress = std::function<void(double fraction, std::string_view what)>;

/// Makes images out of trees, each one once.
class Workshop {
 public:
  /// Errors: usage (a config line that is none), infra (no compiler, no access to the cache).
  static Result<Workshop> open(Settings settings);

  /// The image of a tree in a variant of the recipe. `tree_key` names the tree's content as far as
  /// it is known without a checkout: its tree oid, or that and a digest of the patches.
  /// Once built, it is found again without a checkout, and so is another variant that has the same
  /// config. Errors: usage (no such variant), skip_build, infra, interrupted, or the checkout's.
  Result<Image> build(const std::string& tree_key, const std::string& variant,
                      const Checkout& checkout, std::stop_token stop, const Progress& progress);

  /// Whether `build` would build nothing, as far as is known without a checkout.
  bool cached(const std::string& tree_key, const std::string& variant) const;

  /// The files of the tree that the build of this image read, relative to it; nothing where that
  /// is not known.
  std::optional<std::vector<std::string>> files_read(const Image& image) const {
    return images_.files_read(image.build_key);
  }

  /// The one that builds trees which no other is for, and the others that are installed.
  const Compiler& compiler() const { return compilers_.front(); }
  const std::vector<Compiler>& compilers() const { return compilers_; }

  /// Why builds are not isolated although they should be, where that is possible; else empty.
  const std::string& not_isolated() const { return not_isolated_; }

 private:
  Workshop(Settings settings, std::vector<Compiler> compilers, RemedyFiles remedies,
           FactStore facts, ImageCache images);

  Status isolate();
  Result<std::optional<Image>> find(const TreeFacts& facts, const Plan& plan);
  Result<Image> finish(const TreeFacts& facts, const Plan& plan, const StoredImage& stored) const;
  Result<TreeFacts> facts_of(const std::string& tree_key, const Tree& tree) const;
  const Compiler& compiler_for(const TreeFacts& facts) const;
  Result<Plan> plan_for(std::string_view variant, const TreeFacts& facts) const;
  Result<std::vector<Patch>> patches_of(const Plan& plan) const;
  MakeCall call_for(const Tree& tree, const Plan& plan, const Compiler& compiler) const;
  Result<Image> make_image(const Tree& tree, const TreeFacts& facts, const Plan& plan,
                           std::stop_token stop, const Progress& progress);
  std::filesystem::path objects_for(const Tree& tree, const Plan& plan,
                                    const Compiler& compiler) const;
  Status make_space();

  Settings settings_;
  std::optional<Isolation> isolation_;
  std::string not_isolated_;
  std::vector<Compiler> compilers_;  ///< the default first, then as in the recipe
  RemedyFiles remedies_;
  FactStore facts_;
  ImageCache images_;
  CacheBudget budget_;
};

}  // namespace bisect_run::kernel
