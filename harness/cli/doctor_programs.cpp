#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "cli/doctor.h"
#include "process/run.h"

namespace bisect_run::cli {
namespace {

struct Program {
  const char* name;
  const char* package;
  const char* for_what;  ///< empty: for every kernel
};

// Which trees call what was read in their makefiles; bc came with 3.9, flex and bison with 4.16.
constexpr std::array kPrograms = {
    Program{"make", "make", ""},
    Program{"gcc", "gcc", ""},
    Program{"ld", "binutils", ""},
    Program{"objcopy", "binutils", ""},
    Program{"git", "git", ""},
    Program{"perl", "perl", "trees before 3.9"},
    Program{"bc", "bc", "trees from 3.9 on"},
    Program{"gzip", "gzip", "trees that cannot be compressed with lz4"},
    Program{"lz4", "lz4", "trees from 3.11 on"},
    Program{"flex", "flex", "trees from 4.16 on"},
    Program{"bison", "bison", "trees from 4.16 on"},
    Program{"ccache", "ccache", "builds that take minutes and not seconds the second time"},
};

}  // namespace

Findings check_programs(const Patient&) {
  const char* path = std::getenv("PATH");
  Findings findings;
  for (const auto& program : kPrograms) {
    if (!process::find_program(program.name, path ? path : "").empty()) continue;
    const std::string for_what = program.for_what;
    findings.push_back(
        {for_what.empty() ? Finding::Level::trouble : Finding::Level::note, "programs",
         fmt::format("{} is missing, for {}: install the package {}", program.name,
                     for_what.empty() ? "every kernel" : for_what, program.package)});
  }
  if (findings.empty())
    findings.push_back(
        {Finding::Level::fine, "programs", "everything that kernels of any age are built with"});
  return findings;
}

}  // namespace bisect_run::cli
