#include "config/recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "config/cursor.h"
#include "config/kconfig_lines.h"
#include "config/machines.h"
#include "config/remedies.h"
#include "config/size.h"
#include "config/toolchains.h"
#include "config/variants.h"
#include "model/try.h"
#include "model/variant.h"

namespace bisect_run::config {
namespace {

/// Adds the lines of one group, none of which may have been set by a group before.
Status add_lines(std::vector<ConfigLine>& all, const Fields& group, std::string_view part) {
  const auto map = group.find(part);
  if (!map) return {};
  BR_TRY_ASSIGN(auto lines, config_lines(*map, part == "must"));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].pinned = part == "pin";
    if (std::ranges::find(all, lines[i].symbol, &ConfigLine::symbol) != all.end())
      return std::unexpected(map->fault_at_key(
          map->node().keys[i],
          fmt::format("{} was set before; keep one of the lines", lines[i].symbol)));
    all.push_back(std::move(lines[i]));
  }
  return {};
}

/// Marks the musts that older trees have built in, without a symbol.
Status mark_known(std::vector<ConfigLine>& all, const Fields& group) {
  const auto list = group.find("where-known");
  if (!list) return {};
  BR_TRY_ASSIGN(const auto symbols, symbol_list(*list));
  for (const auto& symbol : symbols) {
    const auto line = std::ranges::find(all, symbol, &ConfigLine::symbol);
    if (line == all.end() || !line->must)
      return std::unexpected(
          list->fault(fmt::format("{} is no `must` of this or an earlier group", symbol)));
    line->where_known = true;
  }
  return {};
}

Result<std::vector<ConfigLine>> config_groups(const Cursor& list) {
  BR_TRY_ASSIGN(const auto items, list.list());
  std::vector<ConfigLine> lines;
  for (const Cursor& item : items) {
    BR_TRY_ASSIGN(const auto group, item.fields({"for", "must", "where-known", "pin", "want"}));
    BR_TRY_ASSIGN(const auto purpose, group.require("for"));
    BR_TRY(purpose.text());
    BR_TRY(add_lines(lines, group, "must"));
    BR_TRY(add_lines(lines, group, "pin"));
    BR_TRY(add_lines(lines, group, "want"));
    BR_TRY(mark_known(lines, group));
  }
  return lines;
}

Result<std::string> default_machine(const Fields& top,
                                    const std::map<std::string, Machine>& known) {
  BR_TRY_ASSIGN(const auto value, top.require("machine"));
  std::vector<std::string_view> names;
  for (const auto& [name, machine] : known) names.emplace_back(name);
  return value.word(names);
}

Result<std::uint64_t> cache_bytes(const Cursor& map) {
  BR_TRY_ASSIGN(const auto fields, map.fields({"size"}));
  BR_TRY_ASSIGN(const auto size, fields.require("size"));
  BR_TRY_ASSIGN(const std::string text, size.text());
  const auto bytes = parse_size(text);
  if (!bytes) return std::unexpected(size.fault(bytes.error().message));
  return *bytes;
}

Result<Isolate> isolate_builds(const Cursor& value) {
  constexpr std::array<std::string_view, 3> kWords = {"auto", "always", "never"};
  BR_TRY_ASSIGN(const auto word, value.word(kWords));
  return parse_isolate(word).value();
}

/// A kernel's name is good for a terminal and never looks like SPEC with a variant or a patch.
bool is_kernel_name(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  });
}

Result<NamedKernel> named_kernel(const std::string& name, const Cursor& value,
                                 const Recipe& recipe) {
  BR_TRY_ASSIGN(const auto fields, value.fields({"revision", "patches", "variant", "machine"}));
  NamedKernel made{.name = name, .revision = {}, .patches = {}, .variant = {}, .machine = {}};
  BR_TRY_ASSIGN(const auto revision, fields.require("revision"));
  BR_TRY_ASSIGN(made.revision, revision.text());
  if (const auto patches = fields.find("patches")) {
    BR_TRY_ASSIGN(const auto items, patches->list());
    for (const Cursor& item : items) {
      BR_TRY_ASSIGN(made.patches.emplace_back(), item.text(4096));
    }
  }
  if (const auto variant = fields.find("variant")) {
    BR_TRY_ASSIGN(made.variant, variant->text());
    const auto canonical = canonical_variant(recipe, made.variant);
    if (!canonical) return std::unexpected(variant->fault(canonical.error().message));
    made.variant = *canonical;
  }
  if (const auto machine = fields.find("machine")) {
    std::vector<std::string_view> names;
    for (const auto& [known, unused] : recipe.machines) names.emplace_back(known);
    BR_TRY_ASSIGN(made.machine, machine->word(names));
  }
  return made;
}

/// Reads the `kernels` map; variants and machines of the recipe have been read.
Status read_named_kernels(const Cursor& map, Recipe& recipe) {
  BR_TRY_ASSIGN(const auto entries, map.entries());
  for (const auto& [key, value] : entries) {
    if (!is_kernel_name(key.text))
      return std::unexpected(map.fault_at_key(
          key, fmt::format("'{:.40}' is no name of a kernel; letters, digits, - _ .", key.text)));
    BR_TRY_ASSIGN(auto kernel, named_kernel(key.text, value, recipe));
    recipe.kernels.push_back(std::move(kernel));
  }
  return {};
}

Result<Recipe> read_recipe(const Document& document, const std::filesystem::path& file) {
  BR_TRY_ASSIGN(const auto top,
                Cursor(document).fields({"repository", "toolchain", "toolchains", "config",
                                         "remedies", "boot-args", "variants", "axes", "kernels",
                                         "machines", "machine", "cache", "isolate-builds"}));
  Recipe recipe;
  recipe.file = file;
  if (const auto repository = top.find("repository")) {
    BR_TRY_ASSIGN(recipe.repository, repository->text(4096));
  }
  if (const auto chain = top.find("toolchain")) {
    BR_TRY_ASSIGN(recipe.toolchain, default_toolchain(*chain));
  }
  if (const auto others = top.find("toolchains")) {
    BR_TRY_ASSIGN(recipe.toolchains, other_toolchains(*others));
  }
  if (const auto map = top.find("remedies")) {
    BR_TRY_ASSIGN(recipe.remedies, remedies(*map));
  }
  BR_TRY_ASSIGN(const auto config, top.require("config"));
  BR_TRY_ASSIGN(recipe.config, config_groups(config));
  if (const auto arguments = top.find("boot-args")) {
    BR_TRY_ASSIGN(recipe.boot_args, boot_arguments(*arguments));
  }
  BR_TRY_ASSIGN(const auto variants, top.require("variants"));
  BR_TRY_ASSIGN(recipe.variants, variant_rules(variants, top.find("axes")));
  BR_TRY_ASSIGN(const auto machines, top.require("machines"));
  BR_TRY_ASSIGN(recipe.machines, machine_map(machines));
  BR_TRY_ASSIGN(recipe.default_machine, default_machine(top, recipe.machines));
  if (const auto cache = top.find("cache")) {
    BR_TRY_ASSIGN(recipe.cache_bytes, cache_bytes(*cache));
  }
  if (const auto isolate = top.find("isolate-builds")) {
    BR_TRY_ASSIGN(recipe.isolate_builds, isolate_builds(*isolate));
  }
  if (const auto kernels = top.find("kernels")) BR_TRY(read_named_kernels(*kernels, recipe));
  return recipe;
}

}  // namespace

Result<Recipe> parse_recipe(std::string_view text, const std::filesystem::path& name) {
  BR_TRY_ASSIGN(const auto document, parse_tree(text, name.string()));
  return read_recipe(document, name);
}

Result<Recipe> load_recipe(const std::filesystem::path& file) {
  BR_TRY_ASSIGN(const auto text, read_bounded(file));
  return parse_recipe(text, file);
}

}  // namespace bisect_run::config
