#include "cli/kernel_specs.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "cli/kernel_list.h"
#include "cli/spec.h"
#include "git/fit.h"
#include "git/kernel_tree.h"
#include "model/try.h"
#include "model/variant.h"

namespace bisect_run::cli {
namespace fs = std::filesystem;
namespace {

bool is_file(const fs::path& name) {
  std::error_code ignored;
  return fs::is_regular_file(name, ignored);
}

Result<Patch> read_patch_file(const fs::path& file) {
  std::error_code ignored;
  if (!is_file(file))
    return fail(ErrorKind::usage,
                fmt::format("there is no file {} to take as a patch", file.string()));
  if (fs::file_size(file, ignored) > kLongestPatch)
    return fail(ErrorKind::usage, file.string() + ": larger than 16 MiB, too large for a patch");
  std::ifstream in(file, std::ios::binary);
  if (!in) return fail(ErrorKind::usage, file.string() + ": cannot be read");
  return Patch{file.string(), {std::istreambuf_iterator<char>(in), {}}};
}

/// A file, else a commit to cherry-pick.
Result<Patch> read_patch(const git::Repository& repository, const std::string& name) {
  if (is_file(name)) return read_patch_file(name);
  BR_TRY_ASSIGN(const auto oid, repository.resolve(name));
  BR_TRY_ASSIGN(auto text, repository.patch_of(oid));
  return Patch{name, std::move(text)};
}

Result<KernelSpec> resolved(const NamedKernel& named, const Recipe& recipe,
                            const git::Repository& repository) {
  KernelSpec spec{.text = named.name, .commit = {}, .patches = {}, .variant = named.variant};
  BR_TRY_ASSIGN(spec.commit, repository.resolve(named.revision));
  for (const auto& name : named.patches) {
    // The file's own directory, so that the name means the same from everywhere.
    const auto beside = recipe.file.parent_path() / name;
    BR_TRY_ASSIGN(auto patch, read_patch(repository, is_file(beside) ? beside.string() : name));
    spec.patches.push_back(std::move(patch));
  }
  if (!named.machine.empty()) spec.machine = recipe.machines.at(named.machine);
  return spec;
}

/// How SPECs are read against a recipe and a repository; both must outlive the context.
SpecContext spec_context(const Recipe& recipe, const git::Repository& repository,
                         std::string default_variant) {
  return {
      .resolve = [&repository](const std::string& r) { return repository.resolve(r); },
      .named = [&](const std::string& name) -> Result<std::optional<KernelSpec>> {
        const auto* named = recipe.kernel(name);
        if (!named) return std::nullopt;
        auto spec = resolved(*named, recipe, repository);
        if (!spec)
          return std::unexpected(
              in_context(std::move(spec).error(),
                         fmt::format("the kernel {} of {}", name, recipe.file.string())));
        return std::move(*spec);
      },
      .patch = [&repository](const std::string& name) { return read_patch(repository, name); },
      .is_patch =
          [&repository](const std::string& name) {
            return is_file(name) || repository.resolve(name).has_value();
          },
      .is_variant = [&recipe](const std::string& name) { return looks_like_variant(recipe, name); },
      .over = [&recipe](const std::string& base,
                        const std::string& over) { return variant_over(recipe, base, over); },
      .default_variant = std::move(default_variant)};
}

/// Whether a tree can offload RCU callbacks: its Kconfig says so, in one place or the other.
bool has_offloading(const git::Repository& repository, const Oid& commit) {
  for (const auto* file : {"kernel/rcu/Kconfig", "init/Kconfig"}) {
    const auto text = repository.file(commit, file);
    if (text && text->find("config RCU_NOCB_CPU\n") != std::string::npos) return true;
  }
  return false;
}

/// A bisect holds the variant fixed, so there `off` wins for both ends.
Status fill_variants(std::vector<KernelSpec>& kernels, const Recipe& recipe,
                     const git::Repository& repository, bool bisecting) {
  std::vector<KernelSpec*> open;
  for (auto& kernel : kernels)
    if (!names_axis(recipe, kernel.variant, kOffloadAxis)) open.push_back(&kernel);
  const auto can = [&](const KernelSpec* kernel) {
    return has_offloading(repository, kernel->commit);
  };
  const bool all_can = bisecting && std::ranges::all_of(open, can);
  for (auto* kernel : open) {
    const bool offloads = bisecting ? all_can : can(kernel);
    const auto* value = offloads ? kDefaultVariant : kOldTreesVariant;
    BR_TRY_ASSIGN(kernel->variant, variant_over(recipe, value, kernel->variant));
  }
  return {};
}

/// The patches of --patch on top of a kernel.
Status add_patches(KernelSpec& spec, const std::vector<std::string>& files) {
  for (const auto& file : files) {
    BR_TRY_ASSIGN(auto patch, read_patch_file(file));
    spec.text += "+" + file;
    spec.patches.push_back(std::move(patch));
  }
  return {};
}

}  // namespace

Result<std::vector<KernelSpec>> read_kernels(const Arguments& arguments, const Recipe& recipe,
                                             const git::Repository& repository, bool bisecting) {
  BR_TRY_ASSIGN(const auto variants, combined_variants(recipe, arguments.variants));
  if (bisecting && variants.size() > 1)
    return fail(ErrorKind::usage,
                "a bisect is made with one variant; bisect-run compare takes several");
  std::vector<KernelSpec> kernels;
  BR_TRY_ASSIGN(const auto texts, listed_kernels(arguments, repository));
  for (const auto& text : texts)
    for (const auto& variant : variants) {
      BR_TRY_ASSIGN(auto spec, read_spec(text, spec_context(recipe, repository, variant)));
      BR_TRY(git::require_kernel_tree(repository, spec.commit));
      BR_TRY(add_patches(spec, arguments.patches));
      if (auto fit = git::require_fit(repository, spec.commit, spec.patches); !fit)
        return std::unexpected(in_context(std::move(fit).error(), spec.text));
      kernels.push_back(std::move(spec));
    }
  BR_TRY(fill_variants(kernels, recipe, repository, bisecting));
  std::vector<KernelSpec> different;
  for (auto& kernel : kernels)
    if (std::ranges::none_of(different, [&](const KernelSpec& other) {
          return other == kernel && other.machine == kernel.machine;
        }))
      different.push_back(std::move(kernel));
  return different;
}

Status check_ends(const Arguments& arguments, const std::vector<KernelSpec>& kernels) {
  for (const auto& kernel : kernels)
    if (!kernel.patches.empty())
      return fail(ErrorKind::usage, kernel.text +
                                        ": the ends of a bisect are commits, without patches; "
                                        "bisect-run compare takes patches");
  if (kernels.size() == 2 && kernels[0].variant != kernels[1].variant)
    return fail(ErrorKind::usage,
                fmt::format("the ends have different variants ({} and {}): a bisect holds the "
                            "variant fixed; set them side by side with bisect-run compare",
                            kernels[0].variant, kernels[1].variant));
  if (kernels.size() == 2 && kernels[0].machine != kernels[1].machine)
    return fail(ErrorKind::usage,
                fmt::format("{} and {} are kernels for different machines: a bisect holds the "
                            "machine fixed",
                            kernels[0].text, kernels[1].text));
  if (kernels.size() < 2)
    return fail(ErrorKind::usage,
                fmt::format("GOOD and BAD are the same commit ({} and {}): nothing lies between",
                            arguments.kernels.front(), arguments.kernels.back()));
  return {};
}

}  // namespace bisect_run::cli
