#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <string>

#include "support/temp_dir.h"

namespace bisect_run::test {

/// Everything below a directory, or one file: type, mode, size, time of change in ns, content. Two
/// states that are equal mean that nobody has written there. Access times do not count.
using DirectoryState = std::map<std::string, std::string>;

inline DirectoryState state_of(const std::filesystem::path& directory) {
  DirectoryState state;
  const auto note = [&](const std::filesystem::path& path) {
    struct stat s{};
    if (lstat(path.c_str(), &s) != 0) return;
    std::string text = std::to_string(s.st_mode) + ' ' + std::to_string(s.st_size) + ' ' +
                       std::to_string(s.st_ino) + ' ' + std::to_string(s.st_mtim.tv_sec) + '.' +
                       std::to_string(s.st_mtim.tv_nsec) + ' ' + std::to_string(s.st_ctim.tv_sec) +
                       '.' + std::to_string(s.st_ctim.tv_nsec) + '\n';
    if (S_ISREG(s.st_mode)) text += read_file(path);
    if (S_ISLNK(s.st_mode)) text += std::filesystem::read_symlink(path).string();
    state[path.string()] = std::move(text);
  };
  note(directory);
  if (!std::filesystem::is_directory(directory)) return state;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory))
    note(entry.path());
  return state;
}

/// The paths in which two states differ, for messages.
inline std::string difference(const DirectoryState& before, const DirectoryState& after) {
  std::string text;
  for (const auto& [path, what] : before)
    if (const auto now = after.find(path); now == after.end() || now->second != what)
      text += (now == after.end() ? "gone: " : "changed: ") + path + '\n';
  for (const auto& [path, what] : after)
    if (!before.contains(path)) text += "new: " + path + '\n';
  return text;
}

}  // namespace bisect_run::test
