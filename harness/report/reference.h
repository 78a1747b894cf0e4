#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"
#include "report/facts.h"
#include "report/styles.h"

namespace bisect_run::report {

/// Published numbers of results/reference, in the shapes that our own results have.
struct Reference {
  std::string name;  ///< such as tinoco-2014
  std::string mode;  ///< how it was measured: all but the counters started `ip`, mode process
  /// Rates at marks; kernels and variants as columns, the oldest kernel first. Empty otherwise.
  ComparisonFacts comparison;
  struct Group {
    std::string title;
    std::vector<LoopTotal> totals;
  };
  std::vector<Group> groups;         ///< totals of interfaces
  std::vector<CounterBlock> blocks;  ///< counters
};

/// Reads DIRECTORY/NAME.csv. Errors: usage, with the names that exist.
Result<Reference> load_reference(const std::filesystem::path& directory, std::string_view name);

/// The same from text.
Result<Reference> parse_reference(std::string_view csv, std::string_view name);

/// The published numbers in the shape of their thread.
std::string reference_text(const Reference& reference);

/// A run's tables, each beside the published one of the same metric. Where the two have no metric
/// in common, that is said, and the published ones stand below.
std::string against_text(const ComparisonFacts& ours, const Reference& reference);

}  // namespace bisect_run::report
