#include "lab/command_line.h"

#include <fmt/format.h>

namespace bisect_run::lab {
namespace {

// no_timer_check: under load the check of the timer fails in TCG and panics. panic=-1: a panic
// reboots at once, which ends the VM. log_buf_len: the early lines about RCU must still be there
// when the agent reads the log. loglevel: the console keeps warnings and worse, which are all
// that is wanted after a crash, and the rest would cost time at each boot.
constexpr const char* kOwn =
    "console=ttyS0 panic=-1 no_timer_check log_buf_len=1M loglevel=5 oops=panic";

std::string with_last(std::string arg, int cpus) {
  constexpr std::string_view kLast = "{last}";
  for (auto at = arg.find(kLast); at != arg.npos; at = arg.find(kLast, at))
    arg.replace(at, kLast.size(), std::to_string(cpus - 1));
  return arg;
}

}  // namespace

std::string command_line(const std::vector<std::string>& base_args,
                         const std::vector<std::string>& variant_args, int cpus) {
  std::string line = kOwn;
  for (const auto& args : {base_args, variant_args})
    for (const auto& arg : args) line += " " + with_last(arg, cpus);
  return line;
}

}  // namespace bisect_run::lab
