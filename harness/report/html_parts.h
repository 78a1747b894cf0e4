#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/html.h"

// The pieces of a page; private to the html*.cpp files. What is named html is ready for the page,
// everything else is a text and gets escaped.

namespace bisect_run::report {

/// A text inside an element or a quoted attribute.
std::string escaped(std::string_view text);

/// <tag>text</tag>
std::string element(std::string_view tag, std::string_view text);
std::string heading(std::string_view text);
std::string paragraph(std::string_view text);
/// A console, a command, a file: with its lines as they are.
std::string preformatted(std::string_view text);
std::string folded(std::string_view title, std::string_view html);

/// A table row by row; columns of numbers are set right.
class HtmlTable {
 public:
  explicit HtmlTable(const std::vector<std::string>& headings, std::vector<bool> numbers = {});
  /// Texts; a class colours the whole row: good, bad, skip.
  void row(const std::vector<std::string>& texts, std::string_view row_class = {});
  /// The same with cells that are HTML.
  void html_row(const std::vector<std::string>& cells, std::string_view row_class = {});
  bool empty() const { return empty_; }
  std::string html() const;
  /// The same for a table whose last column says why: on a phone it goes below the others.
  std::string log_html() const;

 private:
  std::string in_table(std::string_view tag) const;
  std::string html_;
  std::vector<bool> numbers_;
  bool empty_ = true;
};

/// Name and value, one pair a line; pairs without a value are left out, those without a name go on
/// with the one before.
std::string pairs(const std::vector<std::pair<std::string, std::string>>& facts);

std::string figures(const PageData& data);
/// The links that save the raw data, without the network.
std::string downloads(const RunFacts& run, const PageData& data);
/// The answer to a bisect: what, how large, how sure.
std::string answer_html(const BisectFacts& facts);
/// What stands behind it, and the further changes of the range.
std::string proof_html(const BisectFacts& facts);
/// Kernels with their configuration, failed boots with their consoles, versions and digests.
std::string provenance(const RunFacts& run);
/// Numbers of a comparison: one table a metric.
std::string comparison_tables(const ComparisonFacts& facts);

/// The page around `body_html`.
std::string page(std::string_view title, std::string_view body_html, const RunFacts& run);
extern const char* const kPageStyle;

}  // namespace bisect_run::report
