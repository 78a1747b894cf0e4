#include "config/tree_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "model/try.h"

namespace bisect_run::config {
namespace {

using Kind = TreeQuestion::Kind;

/// A name below the top of the tree, with nothing that leads out of it.
Result<std::string> tree_file(const Cursor& value) {
  BR_TRY_ASSIGN(std::string name, value.text());
  const std::filesystem::path path(name);
  if (path.is_absolute() || std::ranges::find(path, "..") != path.end())
    return std::unexpected(value.fault("a file is named from the top of the kernel tree"));
  return name;
}

Result<TreeQuestion> line_question(const Fields& fields, const Cursor& file) {
  TreeQuestion question;
  BR_TRY_ASSIGN(question.file, tree_file(file));
  const auto has = fields.find("has");
  const auto lacks = fields.find("lacks");
  if (has.has_value() == lacks.has_value())
    return std::unexpected(fields.map().fault("`file` goes with `has` or with `lacks`"));
  question.kind = has ? Kind::has : Kind::lacks;
  BR_TRY_ASSIGN(question.pattern, regular_expression(has ? *has : *lacks));
  return question;
}

Result<TreeQuestion> question_of(const Cursor& item) {
  BR_TRY_ASSIGN(const auto fields, item.fields({"exists", "absent", "file", "has", "lacks",
                                                "contains", "contains-not"}));
  const std::size_t keys = item.node().keys.size();
  if (const auto file = fields.find("file"); file && keys == 2) return line_question(fields, *file);
  if (keys != 1)
    return std::unexpected(
        item.fault("one question an item: exists, absent, contains, contains-not, or file with "
                   "has or lacks"));
  TreeQuestion question;
  for (const auto& [name, kind] :
       {std::pair{"exists", Kind::exists}, std::pair{"absent", Kind::absent}})
    if (const auto file = fields.find(name)) {
      question.kind = kind;
      BR_TRY_ASSIGN(question.file, tree_file(*file));
      return question;
    }
  for (const auto& [name, kind] :
       {std::pair{"contains", Kind::contains}, std::pair{"contains-not", Kind::contains_not}})
    if (const auto commit = fields.find(name)) {
      question.kind = kind;
      BR_TRY_ASSIGN(question.commit, commit_name(*commit));
      return question;
    }
  return std::unexpected(item.fault("this needs a `file`, or is no question of its own"));
}

}  // namespace

Result<std::string> regular_expression(const Cursor& value) {
  BR_TRY_ASSIGN(std::string text, value.text());
  try {
    std::regex(text, std::regex::ECMAScript);
  } catch (const std::regex_error& error) {
    return std::unexpected(
        value.fault(fmt::format("no regular expression (ECMAScript): {}", error.what())));
  }
  return text;
}

Result<std::string> commit_name(const Cursor& value) {
  BR_TRY_ASSIGN(std::string text, value.text());
  const bool hex = text.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!hex || text.size() < 12 || text.size() > 64)
    return std::unexpected(
        value.fault("a commit is written as its object name, at least 12 hexadecimal digits"));
  return text;
}

Result<std::vector<TreeQuestion>> tree_questions(const Cursor& list) {
  BR_TRY_ASSIGN(const auto items, list.list());
  std::vector<TreeQuestion> questions;
  for (const Cursor& item : items) {
    BR_TRY_ASSIGN(auto question, question_of(item));
    questions.push_back(std::move(question));
  }
  return questions;
}

}  // namespace bisect_run::config
