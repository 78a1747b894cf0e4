#pragma once

#include <string>
#include <vector>

#include "report/facts.h"

namespace bisect_run::report {

/// A plot as it came back from gnuplot, in both widths (see plots.h).
struct DrawnPlot {
  std::string title;
  std::string wide, narrow;  ///< SVG as gnuplot wrote it
};

/// What a page brings along beside its facts.
struct PageData {
  std::vector<DrawnPlot> plots;
  std::string no_plots;     ///< why there are none, where there should be some
  std::string samples_csv;  ///< raw data to download
  bool all_samples = true;  ///< false: that is one number a boot, metric and mark
  std::string json;         ///< the report as JSON, to download
};

/// One page without scripts, styles or pictures of others: the answer first, then plots, tables,
/// evidence and reasons; ledgers and provenance folded. Every text is escaped, whoever wrote it.
std::string html_text(const BisectFacts& facts, const PageData& data);
std::string html_text(const ComparisonFacts& facts, const PageData& data);

}  // namespace bisect_run::report
