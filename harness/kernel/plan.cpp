#include "kernel/plan.h"

#include <algorithm>

#include "kernel/files.h"
#include "kernel/fragment.h"
#include "kernel/kconfig.h"
#include "kernel/variant.h"
#include "model/try.h"
#include "wire/digest.h"

namespace bisect_run::kernel {
namespace {

/// To be raised when this room builds differently from the same inputs.
constexpr std::int64_t kRecipeVersion = 1;

/// Adds the names and contents of the regular files of one directory.
void add_files(wire::Digest& digest, const std::filesystem::path& directory,
               std::string_view extension) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error))
    if (entry.is_regular_file(error) &&
        (extension.empty() || entry.path().extension() == extension))
      files.push_back(entry.path());
  std::ranges::sort(files);
  for (const auto& file : files)
    digest.add(file.filename().native()).add(read_file(file).value_or(""));
}

/// Besides the Kconfig files, configuration depends on the program that reads them, on the scripts
/// they call, and on what the makefiles export to these.
std::string configure_digest(const std::filesystem::path& tree, const Kconfig& kconfig) {
  wire::Digest digest;
  digest.add(kconfig.digest);
  for (const char* makefile : {"Makefile", "arch/x86/Makefile", "scripts/Makefile"})
    digest.add(read_file(tree / makefile).value_or(""));
  add_files(digest, tree / "scripts", ".sh");
  add_files(digest, tree / "scripts", ".include");
  add_files(digest, tree / "scripts/kconfig", "");
  return digest.hex();
}

std::string key_of(const Plan& plan, const TreeFacts& facts, const Compiler& compiler) {
  wire::Digest digest;
  digest.add(kRecipeVersion).add(facts.tree_oid).add(fragment_text(plan.config));
  digest.add(compiler.identity);
  for (const auto& variable : plan.make_variables) digest.add(variable);
  return digest.hex();
}

}  // namespace

std::set<std::string, std::less<>> symbols_of_interest(const Recipe& recipe) {
  std::set<std::string, std::less<>> symbols;
  const auto add_lines = [&](const std::vector<ConfigLine>& lines) {
    for (const auto& line : lines) symbols.insert(line.symbol);
  };
  add_lines(recipe.config);
  for (const auto& variant : recipe.variants)
    for (const auto& choice : variant.cases) {
      add_lines(choice.config);
      symbols.insert(choice.with_symbols.begin(), choice.with_symbols.end());
      symbols.insert(choice.without_symbols.begin(), choice.without_symbols.end());
    }
  return symbols;
}

Result<TreeFacts> look_at_tree(const std::filesystem::path& tree, const std::string& tree_oid,
                               const Recipe& recipe) {
  BR_TRY_ASSIGN(const auto kconfig, read_kconfig(tree));
  TreeFacts facts{tree_oid, configure_digest(tree, kconfig), {}};
  for (const auto& symbol : symbols_of_interest(recipe))
    if (kconfig.declares(symbol)) facts.declared.insert(symbol);
  return facts;
}

Result<Plan> make_plan(const Recipe& recipe, const VariantRule& variant, const TreeFacts& facts,
                       const Compiler& compiler) {
  BR_TRY_ASSIGN(auto choice, choose_case(variant, [&](std::string_view symbol) {
                  return facts.declares(symbol);
                }));
  Plan plan;
  plan.config = merge(recipe.config, choice.config);
  plan.make_variables = recipe.toolchain.make_variables;
  plan.boot_args = std::move(choice.boot_args);
  plan.offload = std::move(choice.offload);
  plan.build_key = key_of(plan, facts, compiler);
  return plan;
}

}  // namespace bisect_run::kernel
