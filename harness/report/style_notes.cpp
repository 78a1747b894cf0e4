#include <fmt/format.h>

#include "report/columns.h"
#include "report/numbers.h"
#include "report/styles.h"

namespace bisect_run::report {

std::string missing_note(const ComparisonFacts& facts) {
  std::string text;
  for (const auto& column : facts.columns) {
    if (column.reason.empty()) continue;
    const auto words = fmt::format("not measured on {}, {}: {}", kernel_name(column.spec),
                                   describe(column.machine), column.reason);
    text += wrapped(words, 2) + "\n";
  }
  return text;
}

}  // namespace bisect_run::report
