#include <array>
#include <cstdio>

#include <fmt/format.h>

#include "cli/doctor.h"
#include "config/recipe.h"
#include "model/try.h"
#include "report/numbers.h"

namespace bisect_run::cli {
namespace {

using Check = Findings (*)(const Patient&);

constexpr std::array<Check, 7> kChecks = {check_programs, check_compilers,   check_isolation,
                                          check_space,    check_accelerator, check_virtual_clock,
                                          check_noise};

std::string_view word_of(Finding::Level level) {
  switch (level) {
    case Finding::Level::fine:
      return "ok";
    case Finding::Level::note:
      return "note";
    case Finding::Level::trouble:
      return "FAILS";
  }
  return {};
}

void print(const Finding& finding) {
  constexpr std::size_t kIndent = 22;
  fmt::print("{:<6} {:<14} {}\n", word_of(finding.level), finding.subject,
             report::wrapped(finding.text, kIndent));
  std::fflush(stdout);  // some checks take seconds
}

}  // namespace

Result<int> doctor_command(const Arguments& arguments, const Context& context) {
  const auto file = arguments.kernels_file.value_or(context.places.recipe().string());
  BR_TRY_ASSIGN(const auto recipe, config::load_recipe(file));
  const Patient patient{arguments, context, recipe};
  int troubles = 0;
  for (const auto check : kChecks) {
    if (context.stop.stop_requested()) return fail(ErrorKind::interrupted, "interrupted");
    for (const auto& finding : check(patient)) {
      if (!arguments.quiet || finding.level == Finding::Level::trouble) print(finding);
      troubles += finding.level == Finding::Level::trouble ? 1 : 0;
    }
  }
  if (troubles > 0) {
    fmt::print("\nkernels cannot be built and measured here: {} thing{} to mend\n", troubles,
               troubles == 1 ? "" : "s");
    return kInfrastructure;
  }
  if (!arguments.quiet) fmt::print("\nkernels can be built and measured here\n");
  return kAnswered;
}

}  // namespace bisect_run::cli
