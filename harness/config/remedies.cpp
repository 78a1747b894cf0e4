#include "config/remedies.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "config/flag_words.h"
#include "config/kconfig_lines.h"
#include "config/make_variables.h"
#include "config/tree_questions.h"
#include "model/try.h"

namespace bisect_run::config {
namespace {

Result<std::vector<std::string>> variables(const Cursor& list, std::set<std::string>& taken) {
  BR_TRY_ASSIGN(auto made, make_variables(list));
  BR_TRY_ASSIGN(const auto items, list.list());
  for (std::size_t i = 0; i < made.size(); ++i) {
    BR_TRY(check_braces(items[i], made[i]));
    const auto name = made[i].substr(0, made[i].find('='));
    if (takes_flags(name))
      return std::unexpected(items[i].fault("write it below `flags`, where remedies can share it"));
    if (!taken.insert(name).second)
      return std::unexpected(
          items[i].fault(fmt::format("another remedy sets {} already; join the two", name)));
  }
  return made;
}

Result<std::vector<std::string>> patch_files(const Cursor& list) {
  BR_TRY_ASSIGN(const auto items, list.list());
  std::vector<std::string> files;
  for (const Cursor& item : items) {
    BR_TRY_ASSIGN(std::string name, item.text());
    const std::filesystem::path path(name);
    if (path.is_absolute() || std::ranges::find(path, "..") != path.end())
      return std::unexpected(item.fault("a patch is named from the directory of remedies"));
    files.push_back(std::move(name));
  }
  return files;
}

Status read_effects(const Fields& fields, Remedy& made, std::set<std::string>& taken) {
  if (const auto map = fields.find("flags")) {
    BR_TRY_ASSIGN(made.flags, flag_words(*map));
  }
  if (const auto list = fields.find("make")) {
    BR_TRY_ASSIGN(made.make_variables, variables(*list, taken));
  }
  if (const auto map = fields.find("config")) {
    BR_TRY_ASSIGN(made.config, config_lines(*map, false));
  }
  if (const auto list = fields.find("boot-args")) {
    BR_TRY_ASSIGN(made.boot_args, boot_arguments(*list));
  }
  if (const auto list = fields.find("patches")) {
    BR_TRY_ASSIGN(made.patches, patch_files(*list));
  }
  if (made.flags.empty() && made.make_variables.empty() && made.config.empty() &&
      made.boot_args.empty() && made.patches.empty())
    return std::unexpected(
        fields.map().fault("it does nothing; give it flags, make, config, boot-args or patches"));
  return {};
}

Result<Remedy> remedy(const std::string& name, const Cursor& map, std::set<std::string>& taken) {
  BR_TRY_ASSIGN(const auto fields, map.fields({"cures", "symptom", "upstream", "when", "flags",
                                               "make", "config", "boot-args", "patches"}));
  Remedy made;
  made.name = name;
  BR_TRY_ASSIGN(const auto cures, fields.require("cures"));
  BR_TRY_ASSIGN(made.cures, cures.text());
  if (const auto symptom = fields.find("symptom")) {
    BR_TRY_ASSIGN(made.symptom, regular_expression(*symptom));
  }
  if (const auto upstream = fields.find("upstream")) {
    BR_TRY_ASSIGN(made.upstream, commit_name(*upstream));
  }
  BR_TRY_ASSIGN(const auto when, fields.require("when"));
  BR_TRY_ASSIGN(made.when, tree_questions(when));
  if (made.when.empty())
    return std::unexpected(when.fault("no question; what every tree needs stands elsewhere"));
  BR_TRY(read_effects(fields, made, taken));
  return made;
}

}  // namespace

Result<std::vector<Remedy>> remedies(const Cursor& map) {
  BR_TRY_ASSIGN(const auto entries, map.entries());
  std::vector<Remedy> all;
  std::set<std::string> taken;
  for (const auto& [key, value] : entries) {
    BR_TRY_ASSIGN(auto made, remedy(key.text, value, taken));
    all.push_back(std::move(made));
  }
  return all;
}

}  // namespace bisect_run::config
