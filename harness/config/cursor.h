#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/tree.h"

// Typed reading of a tree. Every refusal says file:line:column, what is wrong and what would be
// right.

namespace bisect_run::config {

class Fields;

/// One value of a document. Cheap to copy; the document must outlive it.
class Cursor {
 public:
  Cursor(const Document& document) : Cursor(document, document.root) {}
  Cursor(const Document& document, const Node& node) : document_(&document), node_(&node) {}

  const Node& node() const { return *node_; }
  Error fault(std::string_view message) const;
  /// A fault at another place of the same file, for instance at a key.
  Error fault_at_key(const Key& key, std::string_view message) const;

  /// Not empty, at most `most` bytes, no control characters.
  Result<std::string> text(std::size_t most = 200) const;
  /// The same, and one of `words`.
  Result<std::string> word(std::span<const std::string_view> words) const;
  /// A plain decimal number within the bounds.
  Result<std::int64_t> integer(std::int64_t least, std::int64_t most) const;
  /// true or false, nothing else.
  Result<bool> boolean() const;
  Result<std::vector<Cursor>> list() const;
  /// A map with these keys and no others.
  Result<Fields> fields(std::initializer_list<std::string_view> allowed) const;
  /// A map with keys of the writer's own choice.
  struct Entry;
  Result<std::vector<Entry>> entries() const;

 private:
  const Document* document_;
  const Node* node_;
};

struct Cursor::Entry {
  Key key;
  Cursor value;
};

/// The entries of a map whose keys have been checked.
class Fields {
 public:
  Fields(Cursor map, std::vector<Cursor::Entry> entries)
      : map_(map), entries_(std::move(entries)) {}

  std::optional<Cursor> find(std::string_view name) const;
  Result<Cursor> require(std::string_view name) const;
  const Cursor& map() const { return map_; }

 private:
  Cursor map_;
  std::vector<Cursor::Entry> entries_;
};

/// `; did you mean 'x'?`, or `; one of: a, b, c`.
std::string hint(std::string_view word, std::span<const std::string_view> known);

}  // namespace bisect_run::config
