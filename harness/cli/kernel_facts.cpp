#include "cli/kernel_facts.h"

#include "cli/config_facts.h"
#include "model/spec_key.h"
#include "report/columns.h"

namespace bisect_run::cli {
namespace {

const BuildRecord* build_of(const History& history, const KernelSpec& spec) {
  for (const auto& build : history.builds)
    if (spec_key(build.spec) == spec_key(spec)) return &build;
  return nullptr;
}

std::optional<std::string> offloaded_in(const History& history, const KernelSpec& spec) {
  for (const auto& record : history.boots)
    if (record.boot.handshake && spec_key(record.spec) == spec_key(spec))
      return record.boot.handshake->offloaded;
  return std::nullopt;
}

}  // namespace

void describe_kernels(report::RunFacts& facts, const std::vector<KernelSpec>& kernels,
                      const History& history) {
  std::vector<std::pair<std::string, ConfigValues>> configs;
  for (const auto& spec : kernels) {
    report::BuiltKernel kernel{.name = report::kernel_name(spec),
                               .commit = spec.commit,
                               .variant = spec.variant,
                               .offloaded = offloaded_in(history, spec)};
    const auto* build = build_of(history, spec);
    if (build != nullptr && build->error) kernel.failure = build->error->message;
    if (build != nullptr && build->image) {
      auto config = config_values_of(build->image->config);
      kernel.release = build->image->release;
      kernel.compiler = build->image->compiler;
      kernel.ledger = build->image->ledger;
      kernel.hz = hz_of(config);
      kernel.preemption = preemption_of(config);
      if (!config.empty())
        configs.emplace_back(kernel.name + "@" + spec.variant, std::move(config));
    }
    facts.kernels.push_back(std::move(kernel));
  }
  if (configs.size() < 2) return;
  facts.differ_first = configs.front().first;
  facts.differ_second = configs.back().first;
  facts.differences = differences_between(configs.front().second, configs.back().second);
}

std::vector<report::FailedBoot> failed_boots(const History& history) {
  std::vector<report::FailedBoot> failed;
  for (const auto& record : history.boots)
    if (record.boot.outcome != BootOutcome::complete && record.boot.outcome != BootOutcome::running)
      failed.push_back(
          {record.spec, record.boot.outcome, record.boot.reason, record.boot.console_tail});
  return failed;
}

}  // namespace bisect_run::cli
