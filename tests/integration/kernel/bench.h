#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>

#include "fake_tree.h"
#include "kernel/workshop.h"
#include "support/temp_dir.h"

namespace bisect_run::test {

/// A workshop with a small recipe beside a fake tree.
class Bench {
 public:
  Bench() : Bench(std::filesystem::path()) {}
  /// With its cache at `cache` instead of a directory of its own.
  explicit Bench(const std::filesystem::path& cache) {
    settings.cache = cache.empty() ? dir_ / "cache" : cache;
    settings.free_bytes_needed = 0;
    settings.deadline_s = 60;
    settings.jobs = 1;
    // The fake tree's make keeps count beside its object directory.
    settings.recipe.isolate_builds = Isolate::never;
    settings.recipe.config = {{"SMP", "y", true}, {"NR_CPUS", "8"}};
    VariantCase on{{"RCU_NOCB_CPU"}, {}, "", {{"RCU_NOCB_CPU", "y", true}}, {}, "none"};
    VariantCase all = on;
    all.boot_args = {"rcu_nocbs=0-{last}"};
    all.offload = "all";
    VariantCase off{{}, {}, "", {{"RCU_NOCB_CPU", "n"}}, {}, "none"};
    VariantCase zero{{}, {}, "this tree is too old", {}, {}, ""};
    settings.recipe.variants = {
        {"none", "", {on}}, {"all", "", {all}}, {"off", "", {off}}, {"zero", "", {zero}}};
  }

  /// From here on builds are isolated; what the fake tree counts, it counts where it may write.
  void isolate() {
    settings.recipe.isolate_builds = Isolate::always;
    auto makefile = read_file(tree.path() / "Makefile");
    const std::string beside = "$(O)/../";
    for (auto at = makefile.find(beside); at != makefile.npos; at = makefile.find(beside))
      makefile.replace(at, beside.size(), "$(O)/");
    tree.write("Makefile", makefile);
  }

  kernel::Workshop open() const { return kernel::Workshop::open(settings).value(); }

  Result<Image> build(const std::string& oid, const std::string& variant = "none",
                      const kernel::Progress& progress = {}) {
    auto workshop = open();
    return workshop.build(oid, variant, checkout(), stop.get_token(), progress);
  }

  kernel::Checkout checkout() {
    return [this](const std::vector<Patch>& patches) -> Result<kernel::Tree> {
      ++checkouts;
      remedy_patches = patches;
      return kernel::Tree{tree.path(), ""};
    };
  }

  /// How often the fake tree's make was asked for `what` (makes, configures) over all objects.
  std::ptrdiff_t count(const std::string& what) const {
    std::ptrdiff_t lines = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(settings.cache / "objects"))
      if (entry.path().filename() == what)
        lines += std::ranges::count(read_file(entry.path()), '\n');
    return lines;
  }

  /// The only object directory there is.
  std::filesystem::path objects() const {
    const auto compiler = *std::filesystem::directory_iterator(settings.cache / "objects");
    return std::filesystem::directory_iterator(compiler.path())->path();
  }

  FakeTree tree;
  kernel::Settings settings;
  std::stop_source stop;
  int checkouts = 0;
  std::vector<Patch> remedy_patches;  ///< those of the last checkout

 private:
  TempDir dir_;
};

}  // namespace bisect_run::test
