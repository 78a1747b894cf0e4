#pragma once

#include "report/facts.h"
#include "store/store.h"

namespace bisect_run::cli {

/// The page of a run, with plots by gnuplot and the raw data of the store in it. Without gnuplot
/// the page says so in the plots' place. Errors: those of the store.
Result<std::string> html_page(const store::Store& store, const report::BisectFacts& facts);
Result<std::string> html_page(const store::Store& store, const report::ComparisonFacts& facts);

}  // namespace bisect_run::cli
