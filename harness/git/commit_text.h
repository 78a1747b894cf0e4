#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bisect_run::git {

/// A SHA-1 object name as stored: compact, for loading histories.
using RawId = std::array<unsigned char, 20>;

/// 40 lower-case hex digits.
std::string to_hex(const RawId& id);

/// What the range needs of a commit object.
struct CommitText {
  std::vector<RawId> parents;    ///< in git's order
  std::int64_t commit_time = 0;  ///< seconds since the epoch; 0 where the object has none
  std::string subject;           ///< first line of the message, leading blank lines skipped
};

/// Reads the bytes of a commit object. Tolerant as git is: a broken line gives an empty field.
CommitText parse_commit(std::string_view bytes);

}  // namespace bisect_run::git
