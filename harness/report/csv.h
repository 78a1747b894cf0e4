#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"

namespace bisect_run::report {

/// A table of comma-separated values with a header row and no quotes. Cells are found by the
/// header's words; an empty cell is a missing value.
class Csv {
 public:
  /// Errors: usage, with the line whose number of cells is not the header's.
  static Result<Csv> parse(std::string_view text, std::string name);

  std::size_t rows() const { return rows_.size(); }
  bool has(std::string_view column) const;
  /// Empty where the cell is empty or the column unknown.
  std::string_view text(std::size_t row, std::string_view column) const;
  /// Nothing where the cell is empty or no number.
  std::optional<double> number(std::size_t row, std::string_view column) const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace bisect_run::report
