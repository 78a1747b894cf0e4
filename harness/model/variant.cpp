#include "model/variant.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/try.h"

namespace bisect_run {
namespace {

std::vector<std::string_view> values_of(std::string_view variant) {
  std::vector<std::string_view> values;
  while (true) {
    const auto comma = variant.find(',');
    values.push_back(variant.substr(0, comma));
    if (comma == std::string_view::npos) return values;
    variant.remove_prefix(comma + 1);
  }
}

Result<const VariantRule*> rule_of(const Recipe& recipe, std::string_view value) {
  if (const auto* rule = recipe.variant(value)) return rule;
  std::string known;
  for (const auto& rule : recipe.variants) known += (known.empty() ? "" : ", ") + rule.name;
  return fail(ErrorKind::usage, fmt::format("there is no variant {} in {}; there are {}", value,
                                            recipe.file.string(), known));
}

std::vector<std::string> axes_of(const Recipe& recipe) {
  std::vector<std::string> axes;
  for (const auto& rule : recipe.variants)
    if (std::ranges::find(axes, rule.axis) == axes.end()) axes.push_back(rule.axis);
  return axes;
}

std::string joined(const std::string& front, const std::string& value) {
  return front.empty() ? value : front + "," + value;
}

}  // namespace

Result<std::vector<const VariantRule*>> rules_of(const Recipe& recipe, std::string_view variant) {
  std::vector<const VariantRule*> rules;
  for (const auto value : values_of(variant)) {
    BR_TRY_ASSIGN(const auto* rule, rule_of(recipe, value));
    const auto same = std::ranges::find(rules, rule->axis, &VariantRule::axis);
    if (same != rules.end())
      return fail(ErrorKind::usage, fmt::format("{} and {} exclude each other: both are values of "
                                                "the axis {}",
                                                (*same)->name, rule->name, rule->axis));
    rules.push_back(rule);
  }
  const auto axes = axes_of(recipe);
  std::ranges::sort(rules, {}, [&](const VariantRule* rule) {
    return std::ranges::find(axes, rule->axis) - axes.begin();
  });
  return rules;
}

Result<std::string> canonical_variant(const Recipe& recipe, std::string_view variant) {
  BR_TRY_ASSIGN(const auto rules, rules_of(recipe, variant));
  std::string text;
  for (const auto* rule : rules) text = joined(text, rule->name);
  return text;
}

Result<std::vector<std::string>> combined_variants(const Recipe& recipe,
                                                   const std::vector<std::string>& values) {
  std::vector<const VariantRule*> rules;
  for (const auto& value : values) {
    BR_TRY_ASSIGN(const auto* rule, rule_of(recipe, value));
    if (std::ranges::find(rules, rule) == rules.end()) rules.push_back(rule);
  }
  std::vector<std::string> variants{""};
  for (const auto& axis : axes_of(recipe)) {
    std::vector<std::string> longer;
    for (const auto& front : variants)
      for (const auto* rule : rules)
        if (rule->axis == axis) longer.push_back(joined(front, rule->name));
    if (!longer.empty()) variants = std::move(longer);
  }
  return variants;
}

Result<std::string> variant_over(const Recipe& recipe, std::string_view base,
                                 std::string_view over) {
  if (base.empty() && over.empty()) return std::string();
  if (over.empty()) return canonical_variant(recipe, base);
  std::string text(over);
  if (!base.empty()) {
    BR_TRY_ASSIGN(const auto rules, rules_of(recipe, base));
    for (const auto* rule : rules)
      if (!names_axis(recipe, over, rule->axis)) text = joined(text, rule->name);
  }
  return canonical_variant(recipe, text);
}

std::string equivalent_variant(const Recipe& recipe, std::string_view variant) {
  std::string text;
  bool any = false;
  for (const auto value : values_of(variant)) {
    const auto* rule = recipe.variant(value);
    const bool has = rule != nullptr && !rule->equivalent.empty();
    any = any || has;
    text = joined(text, has ? rule->equivalent : std::string(value));
  }
  return any ? text : std::string();
}

bool looks_like_variant(const Recipe& recipe, std::string_view text) {
  return std::ranges::all_of(
      values_of(text), [&](std::string_view value) { return recipe.variant(value) != nullptr; });
}

std::vector<std::string> variants_along(const Recipe& recipe, std::string_view variant,
                                        std::string_view axis) {
  std::vector<std::string> variants;
  if (names_axis(recipe, variant, axis)) return variants;
  for (const auto& rule : recipe.variants) {
    if (rule.axis != axis) continue;
    if (auto made = variant_over(recipe, variant, rule.name)) variants.push_back(std::move(*made));
  }
  return variants;
}

bool names_axis(const Recipe& recipe, std::string_view variant, std::string_view axis) {
  return std::ranges::any_of(values_of(variant), [&](std::string_view value) {
    const auto* rule = recipe.variant(value);
    return rule != nullptr && rule->axis == axis;
  });
}

}  // namespace bisect_run
