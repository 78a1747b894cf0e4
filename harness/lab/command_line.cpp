#include "lab/command_line.h"

#include <string_view>

namespace bisect_run::lab {
namespace {

// no_timer_check: under load the check of the timer fails in TCG and panics. panic=-1: a panic
// reboots at once, which ends the VM. log_buf_len: the early lines about RCU must still be there
// when the agent reads the log. loglevel: the console keeps warnings and worse, which are all
// that is wanted after a crash, and the rest would cost time at each boot.
constexpr const char* kOwn =
    "console=ttyS0 panic=-1 no_timer_check log_buf_len=1M loglevel=5 oops=panic";

void replace_all(std::string& text, std::string_view what, const std::string& with) {
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

}  // namespace

std::string command_line(const std::vector<std::string>& base_args,
                         const std::vector<std::string>& variant_args,
                         const BootPlaceholders& placeholders) {
  std::string line = kOwn;
  for (const auto& args : {base_args, variant_args})
    for (std::string arg : args) {
      if (!placeholders.tsc_khz && arg.find("{tsc_khz}") != arg.npos) continue;
      replace_all(arg, "{last}", std::to_string(placeholders.cpus - 1));
      replace_all(arg, "{tsc_khz}", std::to_string(placeholders.tsc_khz.value_or(0)));
      line += " " + arg;
    }
  return line;
}

}  // namespace bisect_run::lab
