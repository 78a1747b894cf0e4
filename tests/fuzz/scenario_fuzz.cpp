// rooms: config lab
// options: -max_len=4096 -rss_limit_mb=256 -malloc_limit_mb=16
// more: scenarios
// A scenario file of a stranger. What is accepted can be sent to the agent in messages that it can
// read, asks for a bounded number of samples, and is the same when it is read again.

#include "config/scenario.h"
#include "fuzz/fuzz.h"
#include "lab/sample_plan.h"
#include "wire/messages.h"

namespace {

using namespace bisect_run;
using test::require;

/// Scenarios are named after their files.
std::string name_in(std::string_view text) {
  constexpr std::string_view kKey = "name: ";
  const auto at = text.starts_with(kKey) ? 0 : text.find("\nname: ");
  if (at == text.npos) return "x";
  const auto begin = text.find(' ', at) + 1;
  return std::string(text.substr(begin, text.find('\n', begin) - begin));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto file = name_in(text) + ".yaml";
  const auto scenario = config::parse_scenario(text, file, {});
  if (!scenario) {
    require(scenario.error().kind == ErrorKind::usage && !scenario.error().message.empty());
    return 0;
  }
  std::int64_t id = 0;
  for (const auto& workload : scenario->workloads) {
    const wire::RunWorkload request{++id, scenario->mode, scenario->chunks, scenario->repetitions,
                                    workload};
    const auto line = wire::encode(wire::HostMessage(request));
    const auto read = wire::decode_host(line);
    require(read.has_value());
    require(std::get<wire::RunWorkload>(*read).workload == workload);
    require(lab::SamplePlan(workload, scenario->chunks, scenario->repetitions).expected() > 0);
  }
  const auto again = config::parse_scenario(text, file, {});
  require(again && again->digest == scenario->digest);
  return 0;
}
