#include "config/vlan_ids.h"

#include <fmt/format.h>

#include "model/try.h"
#include "wire/limits.h"

namespace bisect_run::config {
namespace {

std::int64_t integer_of(const wire::Step& step, const char* name) {
  return std::get<std::int64_t>(step.parameters.at(name));
}

/// Steps of the table are complete: each parameter is there with its type.
Status check(const std::vector<wire::Step>& steps, std::int64_t items, const std::string& where) {
  for (const wire::Step& step : steps) {
    if (step.op != "link_add" || std::get<std::string>(step.parameters.at("kind")) != "vlan")
      continue;
    const auto first = integer_of(step, "first_id"), each = integer_of(step, "count");
    const auto room = wire::kLastVlanId - first + 1;
    if (items <= room / each) continue;
    return fail(
        ErrorKind::usage,
        fmt::format("{}: {} vlans on {} from id {}, but ids end at {}; choose fewer by "
                    "--marks, or a metric of another workload by --metric",
                    where, items * each, std::get<std::string>(step.parameters.at("parent")), first,
                    wire::kLastVlanId));
  }
  return {};
}

}  // namespace

Status check_vlan_ids(const Scenario& scenario) {
  for (const wire::Workload& workload : scenario.workloads) {
    const auto where = fmt::format("scenario {}, workload {}", scenario.name, workload.name);
    BR_TRY(check(workload.setup, 1, where));
    for (const wire::Loop& loop : workload.loops)
      BR_TRY(check(loop.each, loop.marks.empty() ? loop.count : loop.marks.back(), where));
  }
  return {};
}

}  // namespace bisect_run::config
