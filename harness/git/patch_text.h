#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"

namespace bisect_run::git {

struct HunkLine {
  enum class Kind { context, remove, add };
  Kind kind = Kind::context;
  std::string text;  ///< with its newline; without one only at the end of a file that has none
};

struct Hunk {
  std::string header;  ///< the `@@` line, for messages
  std::int64_t old_start = 0, old_count = 0;
  std::int64_t new_start = 0, new_count = 0;
  std::vector<HunkLine> lines;
};

/// What a patch does to one file. Paths are relative, clean and inside the tree.
struct FileChange {
  enum class Kind { modify, add, remove, rename, copy };
  Kind kind = Kind::modify;
  std::string old_path, new_path;     ///< one of them empty for add and remove
  std::optional<std::uint32_t> mode;  ///< of the new file, where the patch says it
  std::vector<Hunk> hunks;
  std::size_t part = 0;  ///< equal for what stands together, with no text between the diffs

  const std::string& path() const { return new_path.empty() ? old_path : new_path; }
};

/// Reads a unified diff (git's or plain, paths with one leading component) or mails that hold one.
/// Text between the diffs is skipped, unless it looks like what has come off one of them. Errors,
/// all usage: nothing in it, hunks that are cut off, miscounted or without a file, binary,
/// submodule and combined diffs, encoded mails, paths that leave the tree.
Result<std::vector<FileChange>> parse_patch(std::string_view text);

}  // namespace bisect_run::git
