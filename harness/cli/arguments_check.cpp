#include "cli/arguments_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/compare_options.h"
#include "git/spelling.h"

namespace bisect_run::cli {

Status check(const Arguments& a) {
  const bool searching = a.command == CommandKind::bisect || a.command == CommandKind::plan;
  if (searching && a.import && !a.kernels.empty())
    return fail(ErrorKind::usage, "--import takes both ends from the log: leave GOOD and BAD out");
  if (searching && !a.import && a.kernels.size() != 2)
    return fail(ErrorKind::usage,
                fmt::format("two revisions are needed, the good end and then the bad end: "
                            "bisect-run {}GOOD BAD; {}",
                            a.command == CommandKind::plan ? "plan " : "",
                            a.paths.empty() ? "bisect-run --help shows all commands"
                                            : "--paths takes the words up to the next option, so "
                                              "it comes after them"));
  if (a.confidence && (*a.confidence < 0.5 || *a.confidence > 0.9999))
    return fail(ErrorKind::usage,
                fmt::format("--confidence {} is out of reach: it lies between 50% and 99.99%",
                            *a.confidence));
  if (a.min_effect && *a.min_effect < 0.0001)
    return fail(ErrorKind::usage, "--min-effect is at least 0.01%");
  if (a.command == CommandKind::scenario && a.here == !a.kernels.empty())
    return fail(ErrorKind::usage,
                a.here ? "--here measures this machine's own kernel: leave SPEC out"
                       : "a kernel is needed: bisect-run scenario NAME SPEC, or --here for this "
                         "machine's own");
  if (a.command == CommandKind::compare) {
    if (auto status = check_compare(a); !status) return status;
  }
  if (a.judge && a.here)
    return fail(ErrorKind::usage, "--judge is for kernels under git bisect run, not for --here");
  if (a.judge && !a.on_end.empty())
    return fail(ErrorKind::usage,
                "--on-end is for whole runs: one step of git bisect run has only its exit code");
  const bool one_column = a.command == CommandKind::bisect || a.command == CommandKind::plan ||
                          a.command == CommandKind::calibrate || a.judge;
  if (one_column && a.cpus.size() > 1)
    return fail(ErrorKind::usage,
                "a bisect is made with one number of vCPUs; bisect-run compare takes several");
  for (std::size_t i = 1; i < a.marks.size(); ++i)
    if (a.marks[i] <= a.marks[i - 1])
      return fail(ErrorKind::usage,
                  fmt::format("--marks must rise: {} comes after {}", a.marks[i], a.marks[i - 1]));
  return {};
}

std::string meant_command(const std::vector<std::string>& commands, int argc,
                          const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  const auto near = git::nearest_names(argv[1], commands);
  if (near.empty() || near.front() == argv[1]) return {};
  return fmt::format("there is no command '{}'; did you mean bisect-run {}?", argv[1],
                     fmt::join(near, " or bisect-run "));
}

}  // namespace bisect_run::cli
