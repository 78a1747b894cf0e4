// rooms: cli
// options: -max_len=4096 -rss_limit_mb=128 -malloc_limit_mb=8
// A file of `calibrate`, as `scenario --judge` reads it, down to what would be booted next.

#include "bisect/one_step.h"
#include "cli/judge_file.h"
#include "fuzz/fuzz.h"

namespace {

using namespace bisect_run;
using test::require;

Commit commit(char digit) {
  return {{std::string(40, digit)}, "subject", 0, {}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto judge =
      cli::parse_judge_file({reinterpret_cast<const char*>(data), size}, "calibration");
  if (!judge) {
    require(judge.error().kind == ErrorKind::usage);
    return 0;
  }
  require(cli::parse_judge_file(cli::to_json(*judge), "again").has_value());
  const auto range = bisect::judging_range(commit('a'), commit('b'), commit('c'));
  const auto strategy =
      bisect::make_judging(range, judge->boots, {.min_effect = judge->min_effect});
  const auto action = strategy->next({});
  if (const auto* boot = std::get_if<bisect::BootNode>(&action)) require(boot->node < 3);
  return 0;
}
