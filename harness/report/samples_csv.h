#pragma once

#include <string>

#include "model/history.h"
#include "report/facts.h"

// Tidy raw data: one sample a line, one variable a column, so that R and pandas read it at once.
// schemas/README.md explains the columns.

namespace bisect_run::report {

/// The header, with its end of line.
std::string samples_header();

/// The samples of one boot, a line each; texts that need quotes have them (RFC 4180).
void append_samples(std::string& csv, const RunFacts& run, const BootRecord& record);

}  // namespace bisect_run::report
