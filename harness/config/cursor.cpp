#include "config/cursor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "model/try.h"
#include "wire/operations.h"

namespace bisect_run::config {
namespace {

std::string_view describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::scalar:
      return "one value";
    case Node::Kind::sequence:
      return "a list";
    case Node::Kind::map:
      return "a map";
  }
  return "nothing";
}

bool has_control(std::string_view text) {
  return std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

}  // namespace

std::string hint(std::string_view word, std::span<const std::string_view> known) {
  if (const auto near = wire::nearest(word, known); !near.empty())
    return fmt::format("; did you mean '{}'?", near);
  return fmt::format("; one of: {}", fmt::join(known, ", "));
}

Error Cursor::fault(std::string_view message) const {
  return fault_at(document_->file, node_->at, message);
}

Error Cursor::fault_at_key(const Key& key, std::string_view message) const {
  return fault_at(document_->file, key.at, message);
}

Result<std::string> Cursor::text(std::size_t most) const {
  if (node_->kind != Node::Kind::scalar)
    return std::unexpected(fault(fmt::format("expected a text, found {}", describe(*node_))));
  if (node_->text.empty()) return std::unexpected(fault("an empty text; write something"));
  if (node_->text.size() > most)
    return std::unexpected(fault(fmt::format("longer than {} bytes; shorten it", most)));
  if (has_control(node_->text))
    return std::unexpected(fault("a text of one line is expected, without control characters"));
  return node_->text;
}

Result<std::string> Cursor::word(std::span<const std::string_view> words) const {
  BR_TRY_ASSIGN(std::string value, text());
  if (std::ranges::find(words, std::string_view(value)) != words.end()) return value;
  return std::unexpected(fault(fmt::format("'{}' is not known here{}", value, hint(value, words))));
}

Result<std::int64_t> Cursor::integer(std::int64_t least, std::int64_t most) const {
  const auto wanted = fmt::format("a whole number from {} to {}", least, most);
  if (node_->kind != Node::Kind::scalar)
    return std::unexpected(fault(fmt::format("expected {}, found {}", wanted, describe(*node_))));
  const std::string& text = node_->text;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (node_->quoted || text.empty() || end != text.data() + text.size() ||
      error == std::errc::invalid_argument)
    return std::unexpected(
        fault(fmt::format("'{:.40}' is no plain number; expected {}", text, wanted)));
  if (error != std::errc{} || value < least || value > most)
    return std::unexpected(fault(fmt::format("{:.40} is out of range; expected {}", text, wanted)));
  return value;
}

Result<bool> Cursor::boolean() const {
  if (node_->kind == Node::Kind::scalar && !node_->quoted) {
    if (node_->text == "true") return true;
    if (node_->text == "false") return false;
  }
  return std::unexpected(fault("expected true or false"));
}

Result<std::vector<Cursor>> Cursor::list() const {
  if (node_->kind != Node::Kind::sequence)
    return std::unexpected(
        fault(fmt::format("expected a list, found {}; write [a, b] or lines that "
                          "begin with '- '",
                          describe(*node_))));
  std::vector<Cursor> items;
  for (const Node& item : node_->items) items.emplace_back(*document_, item);
  return items;
}

Result<std::vector<Cursor::Entry>> Cursor::entries() const {
  if (node_->kind != Node::Kind::map)
    return std::unexpected(
        fault(fmt::format("expected a map (key: value), found {}", describe(*node_))));
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < node_->keys.size(); ++i)
    entries.push_back({node_->keys[i], Cursor(*document_, node_->items[i])});
  return entries;
}

Result<Fields> Cursor::fields(std::initializer_list<std::string_view> allowed) const {
  BR_TRY_ASSIGN(auto all, entries());
  for (const Entry& entry : all)
    if (std::ranges::find(allowed, std::string_view(entry.key.text)) == allowed.end())
      return std::unexpected(fault_at_key(
          entry.key, fmt::format("unknown key '{:.60}'{}", entry.key.text,
                                 hint(entry.key.text, {allowed.begin(), allowed.end()}))));
  return Fields(*this, std::move(all));
}

std::optional<Cursor> Fields::find(std::string_view name) const {
  for (const auto& entry : entries_)
    if (entry.key.text == name) return entry.value;
  return std::nullopt;
}

Result<Cursor> Fields::require(std::string_view name) const {
  if (const auto found = find(name)) return *found;
  return std::unexpected(map_.fault(fmt::format("the key '{}' is missing here; add it", name)));
}

}  // namespace bisect_run::config
