#include "cli/kernel_facts.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::string joined(const std::vector<std::string>& words) {
  return words.empty() ? "-" : fmt::format("{}", fmt::join(words, " "));
}

bool has_remedy(const Image& image, const std::string& name) {
  return std::ranges::find(image.remedies, name, &AppliedRemedy::name) != image.remedies.end();
}

/// What two kernels were built or booted with that is no symbol of .config.
std::vector<report::ConfigDifference> other_differences(const Image& first, const Image& second) {
  std::vector<report::ConfigDifference> differences;
  for (const auto& remedy : first.remedies)
    if (!has_remedy(second, remedy.name))
      differences.push_back({"remedy " + remedy.name, "applied", "-"});
  for (const auto& remedy : second.remedies)
    if (!has_remedy(first, remedy.name))
      differences.push_back({"remedy " + remedy.name, "-", "applied"});
  if (first.boot_args != second.boot_args)
    differences.push_back({"boot arguments", joined(first.boot_args), joined(second.boot_args)});
  return differences;
}

}  // namespace

void describe_kernels(report::RunFacts& facts, const std::vector<KernelSpec>& kernels,
                      const History& history) {
  struct Described {
    std::string name;
    ConfigValues config;
    const Image* image;
  };
  std::vector<Described> described;
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
      kernel.remedies = build->image->remedies;
      kernel.hz = hz_of(config);
      kernel.preemption = preemption_of(config);
      if (!config.empty())
        described.push_back({kernel.name + "@" + spec.variant, std::move(config), &*build->image});
    }
    facts.kernels.push_back(std::move(kernel));
  }
  if (described.size() < 2) return;
  const auto &first = described.front(), &last = described.back();
  facts.differ_first = first.name;
  facts.differ_second = last.name;
  facts.differences = other_differences(*first.image, *last.image);  // few, and they say more
  for (auto& difference : differences_between(first.config, last.config))
    facts.differences->push_back(std::move(difference));
}

std::vector<KernelSpec> built_kernels(const History& history) {
  std::vector<KernelSpec> kernels;
  for (const auto& build : history.builds)
    if (std::ranges::find(kernels, build.spec) == kernels.end()) kernels.push_back(build.spec);
  return kernels;
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
