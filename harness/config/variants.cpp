#include "config/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "config/flag_words.h"
#include "config/kconfig_lines.h"
#include "model/try.h"

namespace bisect_run::config {
namespace {

constexpr std::array<std::string_view, 4> kOffloads{"none", "0", "all", "all-but-0"};

/// A variant is named on the command line behind an @, in tables and in file names.
bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 32 && std::ranges::all_of(text, [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-' || c == '_' || c == '.';
  });
}

Result<VariantCase> impossible_case(const Fields& fields, const Cursor& why, VariantCase made) {
  for (const auto* name : {"config", "flags", "boot-args", "offload"})
    if (const auto extra = fields.find(name))
      return std::unexpected(
          extra->fault(fmt::format("an impossible case has no {}; remove one of the two", name)));
  BR_TRY_ASSIGN(made.impossible, why.text());
  return made;
}

Result<VariantCase> variant_case(const Cursor& item, bool offloads) {
  BR_TRY_ASSIGN(
      const auto fields,
      offloads ? item.fields(
                     {"with", "without", "impossible", "config", "flags", "boot-args", "offload"})
               : item.fields({"with", "without", "impossible", "config", "flags", "boot-args"}));
  VariantCase made;
  if (const auto with = fields.find("with")) {
    BR_TRY_ASSIGN(made.with_symbols, symbol_list(*with));
  }
  if (const auto without = fields.find("without")) {
    BR_TRY_ASSIGN(made.without_symbols, symbol_list(*without));
  }
  if (const auto why = fields.find("impossible")) return impossible_case(fields, *why, made);
  if (const auto config = fields.find("config")) {
    BR_TRY_ASSIGN(made.config, config_lines(*config, true));
  }
  if (const auto flags = fields.find("flags")) {
    BR_TRY_ASSIGN(made.flags, flag_words(*flags));
  }
  if (const auto arguments = fields.find("boot-args")) {
    BR_TRY_ASSIGN(made.boot_args, boot_arguments(*arguments));
  }
  if (!offloads) return made;
  BR_TRY_ASSIGN(const auto offload, fields.require("offload"));
  BR_TRY_ASSIGN(made.offload, offload.word(kOffloads));
  return made;
}

Result<std::vector<VariantCase>> variant_cases(const Cursor& list, bool offloads) {
  BR_TRY_ASSIGN(const auto items, list.list());
  if (items.empty()) return std::unexpected(list.fault("no case; a variant needs at least one"));
  std::vector<VariantCase> cases;
  for (const Cursor& item : items) {
    // A case without conditions fits every tree: whatever follows could never be taken.
    if (!cases.empty() && cases.back().with_symbols.empty() && cases.back().without_symbols.empty())
      return std::unexpected(item.fault(
          "never reached: the case before it fits every tree; move that one to the end"));
    BR_TRY_ASSIGN(auto made, variant_case(item, offloads));
    cases.push_back(std::move(made));
  }
  return cases;
}

/// The values of one axis, put behind `rules`; a name means one thing in the whole file.
Status add_rules(std::vector<VariantRule>& rules, const Cursor& map, const std::string& axis) {
  BR_TRY_ASSIGN(const auto entries, map.entries());
  if (entries.empty()) return std::unexpected(map.fault("no variant; declare at least one"));
  const bool offloads = axis == kOffloadAxis;
  for (const auto& [key, value] : entries) {
    if (!is_name(key.text))
      return std::unexpected(map.fault_at_key(
          key,
          fmt::format("'{:.40}' is no name of a variant; small letters, digits, - _ .", key.text)));
    if (std::ranges::find(rules, key.text, &VariantRule::name) != rules.end())
      return std::unexpected(map.fault_at_key(
          key, fmt::format("{} is the name of another variant already", key.text)));
    BR_TRY_ASSIGN(const auto fields, value.fields({"summary", "equivalent", "cases"}));
    VariantRule rule;
    rule.name = key.text;
    rule.axis = axis;
    BR_TRY_ASSIGN(const auto summary, fields.require("summary"));
    BR_TRY_ASSIGN(rule.summary, summary.text());
    if (const auto other = fields.find("equivalent")) {
      BR_TRY_ASSIGN(rule.equivalent, other->text());
    }
    BR_TRY_ASSIGN(const auto cases, fields.require("cases"));
    BR_TRY_ASSIGN(rule.cases, variant_cases(cases, offloads));
    rules.push_back(std::move(rule));
  }
  return {};
}

/// What `equivalent` names must be another value of the same axis.
Status check_equivalents(const std::vector<VariantRule>& rules, const Cursor& map) {
  for (const auto& rule : rules) {
    if (rule.equivalent.empty()) continue;
    const auto other = std::ranges::find(rules, rule.equivalent, &VariantRule::name);
    if (other == rules.end() || other->axis != rule.axis || other->name == rule.name)
      return std::unexpected(
          map.fault(fmt::format("{}: the equivalent {:.40} is no other variant of the same axis",
                                rule.name, rule.equivalent)));
  }
  return {};
}

}  // namespace

Result<std::vector<VariantRule>> variant_rules(const Cursor& variants,
                                               const std::optional<Cursor>& axes) {
  std::vector<VariantRule> rules;
  BR_TRY(add_rules(rules, variants, kOffloadAxis));
  if (axes) {
    BR_TRY_ASSIGN(const auto entries, axes->entries());
    for (const auto& [key, value] : entries) {
      if (key.text == kOffloadAxis)
        return std::unexpected(
            axes->fault_at_key(key, "the values of this axis stand under variants"));
      BR_TRY(add_rules(rules, value, key.text));
    }
  }
  BR_TRY(check_equivalents(rules, variants));
  return rules;
}

}  // namespace bisect_run::config
