#pragma once

#include <array>
#include <string>
#include <vector>

#include "report/facts.h"
#include "report/plots.h"

// What the plots share; private to the plot_*.cpp files.

namespace bisect_run::report {

/// Okabe and Ito's colours, told apart by all kinds of colour vision; black is left to the text.
inline constexpr std::array<const char*, 7> kColours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                     "#E69F00", "#56B4E9", "#8C8C8C"};
inline constexpr std::array<int, 7> kPoints{7, 9, 5, 11, 13, 4, 6};

/// Numbers of a data block, one line each.
class DataBlock {
 public:
  explicit DataBlock(std::string name) : name_(std::move(name)) {}
  void add(std::initializer_list<double> numbers);
  /// A gap in a line.
  void gap() { lines_ += "\n"; }
  bool empty() const { return lines_.empty(); }
  const std::string& name() const { return name_; }
  std::string text() const;

 private:
  std::string name_, lines_;
};

/// `plot A, B, C` of those that are there; nothing at all without one.
std::string plot_command(const std::vector<std::string>& parts);

/// A logarithmic axis where the numbers span more than a factor of eight, from 0 otherwise.
std::string value_axis(const std::vector<double>& values, const std::string& label);

/// `items/s` or `ms`, behind the metric.
std::string value_label(const Metric& metric, std::int64_t mark = 0);

std::string column_label(const ComparisonFacts& facts, std::size_t column);

std::vector<Plot> mark_plots(const ComparisonFacts& facts);
std::vector<Plot> distribution_plots(const ComparisonFacts& facts);
std::vector<Plot> release_plots(const ComparisonFacts& facts);

}  // namespace bisect_run::report
