#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "cli/doctor.h"
#include "kernel/compiler_probe.h"
#include "model/try.h"

namespace bisect_run::cli {
namespace {

constexpr const char* kSubject = "compilers";

std::string for_trees(const Toolchain& toolchain) {
  return toolchain.era.empty() ? std::string() : ", for trees " + toolchain.era;
}

/// What of our own remedies this compiler cannot use; empty if it can use all.
std::string missing_remedies(const kernel::Compiler& compiler, const Patient& patient) {
  if (const auto tried = kernel::accepts(compiler, kernel::flags_of(patient.recipe.remedies));
      !tried)
    return "a flag that remedies use is refused: " + tried.error().message;
  const auto release = kernel::major_release(compiler);
  if (!release) return release.error().message;
  const auto header = patient.context.places.remedies() / "include/linux" /
                      fmt::format("compiler-gcc{}.h", *release);
  std::error_code ignored;
  if (!std::filesystem::exists(header, ignored))
    return fmt::format("trees before 4.2 want a header for gcc {}, which is not there: {}",
                       *release, header.string());
  return {};
}

Finding finding_of(const Toolchain& toolchain, bool is_default, const Patient& patient) {
  const char* path = std::getenv("PATH");
  const auto compiler = kernel::look_at(toolchain, path ? path : "");
  if (!compiler)
    return {is_default ? Finding::Level::trouble : Finding::Level::note, kSubject,
            fmt::format("{}: `{}` is not installed{}", toolchain.name, toolchain.cc,
                        for_trees(toolchain))};
  const auto missing = missing_remedies(*compiler, patient);
  return {missing.empty() ? Finding::Level::fine : Finding::Level::note, kSubject,
          fmt::format("{}: {}{}{}", toolchain.name, compiler->version, for_trees(toolchain),
                      missing.empty() ? "" : "; old trees are not covered: " + missing)};
}

}  // namespace

Findings check_compilers(const Patient& patient) {
  Findings findings{finding_of(patient.recipe.toolchain, true, patient)};
  for (const auto& toolchain : patient.recipe.toolchains)
    findings.push_back(finding_of(toolchain, false, patient));
  return findings;
}

}  // namespace bisect_run::cli
