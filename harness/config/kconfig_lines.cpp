#include "config/kconfig_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "model/try.h"

namespace bisect_run::config {
namespace {

bool is_symbol(std::string_view text) {
  return !text.empty() && text.size() <= 100 && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
}

/// Why `name` is no symbol; empty when it is one.
std::string symbol_problem(const std::string& name) {
  if (name.starts_with("CONFIG_"))
    return fmt::format("write the symbol without CONFIG_: {:.60}", name.substr(7));
  if (!is_symbol(name))
    return fmt::format("'{:.60}' is no Kconfig symbol; letters, digits and _ only", name);
  return {};
}

bool is_number(std::string_view text) {
  if (text.starts_with("-")) text.remove_prefix(1);
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  return !text.empty() && text.size() <= 18 && std::ranges::all_of(text, [&](unsigned char c) {
    return hex ? std::isxdigit(c) != 0 : std::isdigit(c) != 0;
  });
}

/// The value as .config writes it.
Result<std::string> config_value(const Cursor& value) {
  const Node& node = value.node();
  if (node.kind != Node::Kind::scalar)
    return std::unexpected(value.fault("expected y, n, a number or a text in quotes"));
  if (node.quoted) {
    if (node.text == "y" || node.text == "n" || node.text == "m")
      return std::unexpected(
          value.fault(fmt::format("in quotes this is a text; write {} without them", node.text)));
    const bool plain = std::ranges::all_of(
        node.text, [](unsigned char c) { return c >= 0x20 && c != 0x7f && c != '"' && c != '\\'; });
    if (!plain || node.text.size() > 200)
      return std::unexpected(
          value.fault("a text of one line without quotes or backslashes is expected"));
    return fmt::format("\"{}\"", node.text);
  }
  if (node.text == "y" || node.text == "n" || is_number(node.text)) return node.text;
  if (node.text == "m")
    return std::unexpected(value.fault("modules are not loaded in the guest; write y"));
  return std::unexpected(value.fault(
      fmt::format("'{:.40}' is no config value; y, n, a number or a text in quotes", node.text)));
}

/// Whether braces stand for nothing but what the lab replaces.
bool placeholders_known(std::string argument) {
  for (const std::string_view known : {"{last}", "{tsc_khz}"})
    for (auto at = argument.find(known); at != std::string::npos; at = argument.find(known))
      argument.erase(at, known.size());
  return argument.find_first_of("{}") == std::string::npos;
}

}  // namespace

Result<std::vector<ConfigLine>> config_lines(const Cursor& map, bool must) {
  BR_TRY_ASSIGN(const auto entries, map.entries());
  std::vector<ConfigLine> lines;
  for (const auto& [key, value] : entries) {
    if (const auto problem = symbol_problem(key.text); !problem.empty())
      return std::unexpected(map.fault_at_key(key, problem));
    BR_TRY_ASSIGN(std::string text, config_value(value));
    lines.push_back({key.text, std::move(text), must});
  }
  return lines;
}

Result<std::vector<std::string>> symbol_list(const Cursor& list) {
  BR_TRY_ASSIGN(const auto items, list.list());
  std::vector<std::string> symbols;
  for (const Cursor& item : items) {
    BR_TRY_ASSIGN(std::string name, item.text());
    if (const auto problem = symbol_problem(name); !problem.empty())
      return std::unexpected(item.fault(problem));
    symbols.push_back(std::move(name));
  }
  return symbols;
}

Result<std::vector<std::string>> boot_arguments(const Cursor& list) {
  BR_TRY_ASSIGN(const auto items, list.list());
  std::vector<std::string> arguments;
  for (const Cursor& item : items) {
    BR_TRY_ASSIGN(std::string argument, item.text());
    if (argument.find(' ') != std::string::npos)
      return std::unexpected(item.fault("one argument an item, without spaces; split it"));
    if (!placeholders_known(argument))
      return std::unexpected(item.fault("only {last} and {tsc_khz} are replaced in an argument"));
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

}  // namespace bisect_run::config
