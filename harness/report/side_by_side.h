#pragma once

#include <string>

#include "report/reference.h"

namespace bisect_run::report {

/// One metric of a run and, on the right of a bar, the same as it was published: variant by
/// variant, marks as rows, each table's changes against its own first column. At most 78 columns;
/// what is wider goes on below.
std::string side_by_side(const ComparisonFacts& ours, const Series& measured,
                         const Reference& reference, const Series& published);

}  // namespace bisect_run::report
