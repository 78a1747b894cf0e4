#include <fmt/format.h>

#include "report/columns.h"
#include "report/styles.h"

namespace bisect_run::report {

std::string style_heading(const ComparisonFacts& facts) {
  return fmt::format("{}{}, run {}\n{}\n", facts.run.scenario,
                     facts.run.mode.empty() ? "" : ", mode " + facts.run.mode, facts.run.id,
                     legend(facts.columns));
}

}  // namespace bisect_run::report
