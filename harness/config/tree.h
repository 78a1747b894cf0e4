#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"

// A YAML document as a plain tree that remembers where everything stood. Only what our files need
// is accepted: no anchors, aliases, merge keys or tags, and one document a file.

namespace bisect_run::config {

struct Position {
  int line = 1, column = 1;  ///< as an editor counts, from 1
};

struct Key {
  std::string text;
  Position at;
};

struct Node {
  enum class Kind { null, scalar, sequence, map };
  Kind kind = Kind::null;
  Position at;
  std::string text;         ///< of a scalar
  bool quoted = false;      ///< the scalar stood in quotes or in a block
  std::vector<Key> keys;    ///< of a map, in the file's order, each once
  std::vector<Node> items;  ///< of a sequence; of a map, beside `keys`
};

struct Document {
  std::string file;  ///< as named in messages
  Node root;
};

inline constexpr std::size_t kMaxFileBytes = 1024 * 1024;
inline constexpr std::size_t kMaxDepth = 16;
inline constexpr std::size_t kMaxEntries = 4096;  ///< of one list or map

/// Reads one regular file of at most kMaxFileBytes. Errors: usage.
Result<std::string> read_bounded(const std::filesystem::path& file);

/// Parses `text`; `file` is its name in messages. Errors: usage, `file:line:column: …`.
Result<Document> parse_tree(std::string_view text, std::string file);

/// The error of something at a place in a file.
Error fault_at(std::string_view file, Position at, std::string_view message);

}  // namespace bisect_run::config
