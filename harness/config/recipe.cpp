#include "config/recipe.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/cursor.h"
#include "config/kconfig_lines.h"
#include "config/machines.h"
#include "config/variants.h"
#include "model/try.h"

namespace bisect_run::config {
namespace {

Result<std::vector<std::string>> make_variables(const Cursor& list) {
  BR_TRY_ASSIGN(const auto items, list.list());
  std::vector<std::string> variables;
  for (const Cursor& item : items) {
    BR_TRY_ASSIGN(std::string text, item.text());
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return std::unexpected(item.fault("a make variable is written NAME=value"));
    if (text.starts_with("CC=")) return std::unexpected(item.fault("write the compiler as `cc:`"));
    variables.push_back(std::move(text));
  }
  return variables;
}

Result<Toolchain> toolchain(const Cursor& map) {
  BR_TRY_ASSIGN(const auto fields, map.fields({"name", "cc", "make"}));
  Toolchain made;
  if (const auto name = fields.find("name")) {
    BR_TRY_ASSIGN(made.name, name->text());
  }
  if (const auto cc = fields.find("cc")) {
    BR_TRY_ASSIGN(made.cc, cc->text());
  }
  if (const auto make = fields.find("make")) {
    BR_TRY_ASSIGN(made.make_variables, make_variables(*make));
  }
  return made;
}

/// Adds the lines of one group, none of which may have been set by a group before.
Status add_lines(std::vector<ConfigLine>& all, const Fields& group, std::string_view part) {
  const auto map = group.find(part);
  if (!map) return {};
  BR_TRY_ASSIGN(auto lines, config_lines(*map, part == "must"));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (std::ranges::find(all, lines[i].symbol, &ConfigLine::symbol) != all.end())
      return std::unexpected(map->fault_at_key(
          map->node().keys[i],
          fmt::format("{} was set before; keep one of the lines", lines[i].symbol)));
    all.push_back(std::move(lines[i]));
  }
  return {};
}

Result<std::vector<ConfigLine>> config_groups(const Cursor& list) {
  BR_TRY_ASSIGN(const auto items, list.list());
  std::vector<ConfigLine> lines;
  for (const Cursor& item : items) {
    BR_TRY_ASSIGN(const auto group, item.fields({"for", "must", "want"}));
    BR_TRY_ASSIGN(const auto purpose, group.require("for"));
    BR_TRY(purpose.text());
    BR_TRY(add_lines(lines, group, "must"));
    BR_TRY(add_lines(lines, group, "want"));
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

Result<Recipe> read_recipe(const Document& document, const std::filesystem::path& file) {
  BR_TRY_ASSIGN(const auto top,
                Cursor(document).fields({"repository", "toolchain", "config", "boot-args",
                                         "variants", "machines", "machine"}));
  Recipe recipe;
  recipe.file = file;
  if (const auto repository = top.find("repository")) {
    BR_TRY_ASSIGN(recipe.repository, repository->text(4096));
  }
  if (const auto chain = top.find("toolchain")) {
    BR_TRY_ASSIGN(recipe.toolchain, toolchain(*chain));
  }
  BR_TRY_ASSIGN(const auto config, top.require("config"));
  BR_TRY_ASSIGN(recipe.config, config_groups(config));
  if (const auto arguments = top.find("boot-args")) {
    BR_TRY_ASSIGN(recipe.boot_args, boot_arguments(*arguments));
  }
  BR_TRY_ASSIGN(const auto variants, top.require("variants"));
  BR_TRY_ASSIGN(recipe.variants, variant_rules(variants));
  BR_TRY_ASSIGN(const auto machines, top.require("machines"));
  BR_TRY_ASSIGN(recipe.machines, machine_map(machines));
  BR_TRY_ASSIGN(recipe.default_machine, default_machine(top, recipe.machines));
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
