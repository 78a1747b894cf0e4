#include "kernel/tree_questions.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernel/stranger_file.h"

namespace bisect_run::kernel {

using Kind = TreeQuestion::Kind;

namespace {

/// The library's search goes deeper with every character: a line without end would be its own.
constexpr std::size_t kLongestLine = 4096;

}  // namespace

bool has_line(std::string_view text, const std::string& pattern) {
  try {
    const std::regex regex(pattern, std::regex::ECMAScript);
    while (!text.empty()) {
      auto line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      line = line.substr(0, kLongestLine);
      if (std::regex_search(line.begin(), line.end(), regex)) return true;
    }
  } catch (const std::regex_error&) {
    // The reader of kernels.yaml compiled it; a line may still be too much for it.
  }
  return false;
}

const std::string* TreeAnswers::text_of(const std::string& file) {
  auto known = texts_.find(file);
  if (known == texts_.end()) {
    auto text = read_below(tree_, file);
    if (!text) return nullptr;
    known = texts_.emplace(file, std::move(*text)).first;
  }
  return &known->second;
}

bool TreeAnswers::holds(const TreeQuestion& question) {
  std::error_code ignored;
  switch (question.kind) {
    case Kind::exists:
      return std::filesystem::exists(tree_ / question.file, ignored);
    case Kind::absent:
      return !std::filesystem::exists(tree_ / question.file, ignored);
    case Kind::has:
    case Kind::lacks: {
      const auto* text = text_of(question.file);
      return text && has_line(*text, question.pattern) == (question.kind == Kind::has);
    }
    case Kind::contains:
      return ancestors_.contains(question.commit);
    case Kind::contains_not:
      return !ancestors_.contains(question.commit);
  }
  return false;
}

bool TreeAnswers::all_hold(const std::vector<TreeQuestion>& questions) {
  return std::ranges::all_of(questions, [&](const auto& question) { return holds(question); });
}

std::string describe(const TreeQuestion& question) {
  switch (question.kind) {
    case Kind::exists:
      return fmt::format("{} is there", question.file);
    case Kind::absent:
      return fmt::format("{} is not there", question.file);
    case Kind::has:
      return fmt::format("{} has a line '{}'", question.file, question.pattern);
    case Kind::lacks:
      return fmt::format("{} has no line '{}'", question.file, question.pattern);
    case Kind::contains:
      return fmt::format("commit {} is contained", question.commit);
    case Kind::contains_not:
      return fmt::format("commit {} is not contained", question.commit);
  }
  return {};
}

std::set<std::string> commits_named(const std::vector<TreeQuestion>& questions) {
  std::set<std::string> commits;
  for (const auto& question : questions)
    if (!question.commit.empty()) commits.insert(question.commit);
  return commits;
}

}  // namespace bisect_run::kernel
