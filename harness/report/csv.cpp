#include "report/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace bisect_run::report {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(separator, at), text.size());
    parts.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace

Result<Csv> Csv::parse(std::string_view text, std::string name) {
  Csv csv;
  int number = 0;
  for (auto& line : split(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    auto cells = split(line, ',');
    if (csv.header_.empty()) {
      csv.header_ = std::move(cells);
    } else if (cells.size() != csv.header_.size()) {
      return fail(ErrorKind::usage, fmt::format("{}:{}: {} cells, but the header has {}", name,
                                                number, cells.size(), csv.header_.size()));
    } else {
      csv.rows_.push_back(std::move(cells));
    }
  }
  if (csv.header_.empty()) return fail(ErrorKind::usage, name + ": the table is empty");
  return csv;
}

bool Csv::has(std::string_view column) const {
  return std::ranges::find(header_, column) != header_.end();
}

std::string_view Csv::text(std::size_t row, std::string_view column) const {
  const auto found = std::ranges::find(header_, column);
  if (found == header_.end()) return {};
  return rows_[row][static_cast<std::size_t>(found - header_.begin())];
}

std::optional<double> Csv::number(std::size_t row, std::string_view column) const {
  const auto cell = text(row, column);
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size()) return std::nullopt;
  return value;
}

}  // namespace bisect_run::report
