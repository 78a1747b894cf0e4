#include "kernel/files_read.h"

#include <algorithm>
#include <unordered_set>

#include "kernel/files.h"
#include "kernel/stranger_file.h"
#include "model/try.h"

namespace bisect_run::kernel {

namespace fs = std::filesystem;
namespace {

/// Some hundred times the longest one of Kbuild's.
constexpr std::uint64_t kMostOfACmd = std::uint64_t{16} << 20;

}  // namespace

std::vector<std::string> paths_below(const std::string& tree, std::string_view text) {
  constexpr std::string_view kBetween = " \t\n\\:=\"'();,";
  std::vector<std::string> paths;
  while (true) {
    const auto begin = text.find_first_not_of(kBetween);
    if (begin == std::string_view::npos) return paths;
    text.remove_prefix(begin);
    const auto end = std::min(text.find_first_of(kBetween), text.size());
    const auto word = text.substr(0, end);
    text.remove_prefix(end);
    // Options such as -I/tree/include name directories.
    if (word.size() <= tree.size() + 1 || !word.starts_with(tree) || word[tree.size()] != '/')
      continue;
    paths.push_back(fs::path(word.substr(tree.size() + 1)).lexically_normal().string());
  }
}

Result<std::vector<std::string>> files_read(const fs::path& objects, const fs::path& tree) {
  std::unordered_set<std::string> read;
  std::error_code error;
  fs::recursive_directory_iterator entries(objects, error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    const auto name = entries->path().filename().string();
    if (!name.starts_with('.') || !(name.ends_with(".cmd") || name.ends_with(".d"))) continue;
    const auto text = read_below(objects, entries->path().lexically_relative(objects), kMostOfACmd);
    if (!text && text.error().kind == ErrorKind::skip_build) continue;  // none of Kbuild's
    if (!text) return std::unexpected(text.error());
    for (auto& path : paths_below(tree.string(), *text)) read.insert(std::move(path));
  }
  if (error) return system_failure("read", objects, error.value());
  std::vector<std::string> sorted(read.begin(), read.end());
  std::ranges::sort(sorted);
  return sorted;
}

}  // namespace bisect_run::kernel
