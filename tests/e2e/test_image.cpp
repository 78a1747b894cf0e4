// Builds the kernel that the vm tests boot: the good end of the demo, from the same cache as the
// program's own. Leaves bzImage, .config and build-id in the directory given.

#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "cli/places.h"
#include "config/recipe.h"
#include "demo/history.h"
#include "git/repository.h"
#include "git/work_tree.h"
#include "kernel/workshop.h"
#include "model/try.h"
#include "support/temp_dir.h"

namespace {

namespace fs = std::filesystem;
using namespace bisect_run;

fs::path cache_directory() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    return fs::path(cache) / "bisect-run";
  const char* home = std::getenv("HOME");
  return fs::path(home ? home : "/tmp") / ".cache" / "bisect-run";
}

Status make(const fs::path& source, const fs::path& output) {
  const auto cache = cache_directory();
  BR_TRY_ASSIGN(const auto history, demo::ensure_history(cache / "demo", source / "harness/demo",
                                                         {}, [](double, std::string_view) {}));
  BR_TRY_ASSIGN(const auto repository, git::Repository::open(history.repository));
  BR_TRY_ASSIGN(auto recipe, config::load_recipe(source / "kernels.yaml"));
  BR_TRY_ASSIGN(auto workshop,
                kernel::Workshop::open({.cache = cache,
                                        .remedies = source / "harness/remedies",
                                        .recipe = std::move(recipe)}));
  BR_TRY_ASSIGN(const auto tree_name, repository.tree_name(history.good));
  const auto checkout = [&](const std::vector<Patch>&) -> Result<kernel::Tree> {
    BR_TRY_ASSIGN(auto tree, git::WorkTree::open(
                                  cli::tree_directory(cache, repository.path()), repository));
    BR_TRY_ASSIGN(auto oid, tree.checkout(history.good, {}));
    return kernel::Tree{tree.path(), std::move(oid)};
  };
  BR_TRY_ASSIGN(const auto image, workshop.build(tree_name, "none", checkout, {}, {}));
  fs::create_directories(output);
  fs::copy_file(image.bzimage, output / "bzImage", fs::copy_options::overwrite_existing);
  fs::copy_file(image.config, output / ".config", fs::copy_options::overwrite_existing);
  test::write_file(output / "build-id", image.build_id);
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: test_image SOURCE OUTPUT\n", stderr);
    return 2;
  }
  const auto made = make(argv[1], argv[2]);
  if (made) return 0;
  fmt::print(stderr, "{}\n{}\n", made.error().message, made.error().detail);
  return made.error().kind == ErrorKind::usage ? 77 : 1;
}
