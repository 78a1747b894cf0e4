#include "config/scenario.h"
#include "wire/digest.h"

namespace bisect_run::config {
namespace {

void add(wire::Digest& digest, const wire::ParameterValue& value) {
  digest.add(static_cast<std::int64_t>(value.index()));
  if (const auto* number = std::get_if<std::int64_t>(&value)) digest.add(*number);
  if (const auto* flag = std::get_if<bool>(&value)) digest.add(std::int64_t{*flag});
  if (const auto* text = std::get_if<std::string>(&value)) digest.add(*text);
}

// Every list goes in behind its length, so that no two scenarios read alike.
void add(wire::Digest& digest, const std::vector<wire::Step>& steps) {
  digest.add(static_cast<std::int64_t>(steps.size()));
  for (const auto& step : steps) {
    digest.add(step.op).add(static_cast<std::int64_t>(step.parameters.size()));
    for (const auto& [name, value] : step.parameters) {
      digest.add(name);
      add(digest, value);
    }
  }
}

void add(wire::Digest& digest, const wire::Loop& loop) {
  digest.add(loop.metric).add(loop.count).add(static_cast<std::int64_t>(loop.marks.size()));
  for (const auto mark : loop.marks) digest.add(mark);
  add(digest, loop.each);
}

}  // namespace

std::string digest_of(const Scenario& scenario) {
  wire::Digest digest;
  digest.add(scenario.mode)
      .add(std::int64_t{scenario.chunks})
      .add(std::int64_t{scenario.repetitions});
  digest.add(static_cast<std::int64_t>(scenario.workloads.size()));
  for (const auto& workload : scenario.workloads) {
    digest.add(workload.name);
    add(digest, workload.setup);
    digest.add(static_cast<std::int64_t>(workload.loops.size()));
    for (const auto& loop : workload.loops) add(digest, loop);
    add(digest, workload.teardown);
  }
  return digest.hex();
}

}  // namespace bisect_run::config
