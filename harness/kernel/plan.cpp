#include "kernel/plan.h"

#include <algorithm>

#include "kernel/fragment.h"
#include "kernel/kconfig.h"
#include "kernel/stranger_file.h"
#include "kernel/tree_questions.h"
#include "kernel/variant.h"
#include "model/try.h"
#include "wire/digest.h"

namespace bisect_run::kernel {
namespace {

/// To be raised when this room builds differently from the same inputs.
constexpr std::int64_t kRecipeVersion = 1;

/// Adds the names and contents of the regular files of one directory.
void add_files(wire::Digest& digest, const std::filesystem::path& tree, const char* directory,
               std::string_view extension) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(tree / directory, error))
    if (entry.is_regular_file(error) &&
        (extension.empty() || entry.path().extension() == extension))
      files.push_back(entry.path());
  std::ranges::sort(files);
  for (const auto& file : files)
    digest.add(file.filename().native())
        .add(read_below(tree, file.lexically_relative(tree)).value_or(""));
}

/// Besides the Kconfig files, configuration depends on the program that reads them, on the scripts
/// they call, and on what the makefiles export to these.
std::string configure_digest(const std::filesystem::path& tree, const Kconfig& kconfig) {
  wire::Digest digest;
  digest.add(kconfig.digest);
  for (const char* makefile : {"Makefile", "arch/x86/Makefile", "scripts/Makefile"})
    digest.add(read_below(tree, makefile).value_or(""));
  add_files(digest, tree, "scripts", ".sh");
  add_files(digest, tree, "scripts", ".include");
  add_files(digest, tree, "scripts/kconfig", "");
  return digest.hex();
}

/// What remedies do to a build beside its config and make variables. The paths of their files
/// differ from machine to machine, so the files themselves stand for them.
void add_treatment(wire::Digest& digest, const Plan& plan, const std::string& remedies_digest) {
  bool files = !plan.patches.empty();
  const auto add = [&](const std::string& text) {
    digest.add(text);
    files = files || text.find("{remedies}") != std::string::npos;
  };
  for (const auto& [name, words] : plan.flags) {
    digest.add(name);
    for (const auto& word : words) add(word);
  }
  for (const auto& variable : plan.make_variables) add(variable);
  for (const auto& patch : plan.patches) add(patch);
  if (files) digest.add(remedies_digest);
}

std::string key_of(const Plan& plan, const TreeFacts& facts, const Compiler& compiler,
                   const std::string& remedies_digest) {
  wire::Digest digest;
  digest.add(kRecipeVersion).add(facts.tree_oid).add(fragment_text(plan.config));
  digest.add(compiler.identity);
  if (plan.configure_target != Plan().configure_target) digest.add(plan.configure_target);
  add_treatment(digest, plan, remedies_digest);
  return digest.hex();
}

template <class Rules>
std::set<std::string, std::less<>> fitting(const Rules& rules, TreeAnswers& tree) {
  std::set<std::string, std::less<>> names;
  for (const auto& rule : rules)
    if (tree.all_hold(rule.when)) names.insert(rule.name);
  return names;
}

}  // namespace

std::set<std::string, std::less<>> symbols_of_interest(const Recipe& recipe) {
  std::set<std::string, std::less<>> symbols;
  const auto add_lines = [&](const std::vector<ConfigLine>& lines) {
    for (const auto& line : lines) symbols.insert(line.symbol);
  };
  add_lines(recipe.config);
  for (const auto& remedy : recipe.remedies) add_lines(remedy.config);
  add_lines(recipe.own_config);
  for (const auto& variant : recipe.variants)
    for (const auto& choice : variant.cases) {
      add_lines(choice.config);
      symbols.insert(choice.with_symbols.begin(), choice.with_symbols.end());
      symbols.insert(choice.without_symbols.begin(), choice.without_symbols.end());
    }
  return symbols;
}

std::set<std::string> ancestry_of_interest(const Recipe& recipe) {
  std::set<std::string> commits;
  for (const auto& remedy : recipe.remedies) commits.merge(commits_named(remedy.when));
  for (const auto& toolchain : recipe.toolchains) commits.merge(commits_named(toolchain.when));
  return commits;
}

Result<TreeFacts> look_at_tree(const std::filesystem::path& tree, const std::string& tree_oid,
                               const Recipe& recipe, const std::set<std::string>& ancestors) {
  BR_TRY_ASSIGN(const auto kconfig, read_kconfig(tree));
  TreeFacts facts;
  facts.tree_oid = tree_oid;
  facts.configure_digest = configure_digest(tree, kconfig);
  TreeAnswers answers(tree, ancestors);
  facts.remedies = fitting(recipe.remedies, answers);
  facts.toolchains = fitting(recipe.toolchains, answers);
  facts.derived = derive_words(tree);
  for (const auto& symbol : symbols_of_interest(recipe))
    if (kconfig.declares(symbol)) facts.declared.insert(symbol);
  return facts;
}

Result<Plan> make_plan(const Recipe& recipe, std::string_view variant, const TreeFacts& facts,
                       const Compiler& compiler, const std::string& remedies_digest) {
  BR_TRY_ASSIGN(auto treatment, treat(recipe.remedies, facts.remedies, facts.derived));
  BR_TRY_ASSIGN(auto choice, choose_cases(recipe, variant, [&](std::string_view symbol) {
                  return facts.declares(symbol);
                }));
  Plan plan;
  plan.config = asked_lines(recipe, merge(treatment.config, choice.config));
  // A person's .config leaves out what other trees added since: they get the default, as with
  // olddefconfig, which trees before 3.7 do not have.
  if (!recipe.own_config.empty()) plan.configure_target = "alldefconfig";
  plan.make_variables = std::move(treatment.make_variables);
  // The later one counts: a toolchain's own variables are the person's.
  plan.make_variables.insert(plan.make_variables.end(), compiler.make_variables.begin(),
                             compiler.make_variables.end());
  plan.flags = std::move(treatment.flags);
  for (auto& [variable, words] : choice.flags)
    std::ranges::move(words, std::back_inserter(plan.flags[variable]));
  plan.patches = std::move(treatment.patches);
  plan.remedies = std::move(treatment.applied);
  plan.boot_args = std::move(treatment.boot_args);
  plan.boot_args.insert(plan.boot_args.end(), choice.boot_args.begin(), choice.boot_args.end());
  plan.offload = std::move(choice.offload);
  plan.build_key = key_of(plan, facts, compiler, remedies_digest);
  return plan;
}

}  // namespace bisect_run::kernel
