#pragma once

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "model/remedy.h"

namespace bisect_run::kernel {

/// Answers questions to one checked-out tree; reads each file once.
class TreeAnswers {
 public:
  /// `ancestors`: those of the commits that questions name which are contained.
  TreeAnswers(std::filesystem::path tree, std::set<std::string> ancestors)
      : tree_(std::move(tree)), ancestors_(std::move(ancestors)) {}

  bool holds(const TreeQuestion& question);
  bool all_hold(const std::vector<TreeQuestion>& questions);

 private:
  const std::string* text_of(const std::string& file);

  std::filesystem::path tree_;
  std::set<std::string> ancestors_;
  std::map<std::string, std::string> texts_;
};

/// Whether `pattern` (ECMAScript) is found in a line of `text`; false for one that is no pattern.
bool has_line(std::string_view text, const std::string& pattern);

/// The question in words, `Makefile has no line '-fno-pie'`.
std::string describe(const TreeQuestion& question);

/// The commits that questions name.
std::set<std::string> commits_named(const std::vector<TreeQuestion>& questions);

}  // namespace bisect_run::kernel
