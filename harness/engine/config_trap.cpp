#include "engine/config_trap.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/boot_value.h"
#include "model/spec_key.h"
#include "model/try.h"
#include "stats/revert.h"
#include "stats/summary.h"

namespace bisect_run::engine {
namespace {

using Cause = ConfigChange::Cause;
using Kernel = stats::RevertBoot::Kernel;

const LedgerLine* find_line(const Image& image, const std::string& symbol) {
  const auto found = std::ranges::find(image.ledger, symbol, &LedgerLine::symbol);
  return found == image.ledger.end() ? nullptr : &*found;
}

/// The value of a symbol in the image whose ledger has no line for it, while that of the other
/// image has one. Of a person's own .config a ledger holds only what was lost: what it does not
/// hold was kept. Any other line that is missing was not asked for in that tree.
std::string value_without_line(const LedgerLine& other) {
  return other.fate == LedgerFate::kept ? "-" : other.asked;
}

void add(std::vector<ConfigDifference>& all, const std::string& what, std::string parent,
         std::string commit) {
  // What is not asked for and what is off are the same.
  const bool both_off = (parent == "-" || parent == "n") && (commit == "-" || commit == "n");
  if (parent != commit && !both_off) all.push_back({what, std::move(parent), std::move(commit)});
}

std::string words(const std::vector<std::string>& arguments) {
  return arguments.empty() ? "-" : fmt::format("{}", fmt::join(arguments, " "));
}

/// The last image of a kernel of the run.
const Image* image_of(const History& history, const KernelSpec& spec) {
  const Image* image = nullptr;
  for (const auto& build : history.builds)
    if (build.image && build.spec == spec) image = &*build.image;
  return image;
}

KernelSpec kernel(const Oid& commit, const std::string& variant) {
  return {.text = commit.abbreviated() + "@" + variant,
          .commit = commit,
          .patches = {},
          .variant = variant};
}

struct Trial {
  std::vector<double> values;
  std::vector<stats::RevertBoot> boots;
};

Trial trial_of(const TrapSetup& setup, const KernelSpec& spec, const History& history) {
  Trial trial;
  for (const auto& record : history.boots) {
    if (!(record.spec == spec) || record.boot.outcome != BootOutcome::complete) continue;
    const auto value = boot_value(record.samples, setup.question.metric, setup.question.mark);
    if (!value) continue;
    trial.values.push_back(*value);
    trial.boots.push_back({Kernel::reverted, to_y(setup.question, *value), record.ended_at});
  }
  return trial;
}

/// Boots the parent in the equivalent variant until there are enough, or says why there are none.
Result<std::string> measure(const TrapSetup& setup, const KernelSpec& spec, Prober& prober) {
  auto& observer = prober.ports().observer;
  while (static_cast<int>(trial_of(setup, spec, prober.history()).values.size()) < setup.boots) {
    if (auto reason = skip_reason(prober.history(), spec_key(spec), setup.machine, &setup.question))
      return std::move(*reason);
    if (auto why = spent(setup.allowance, spec, prober); !why.empty()) return why;
    observer.probing(spec, "does the configuration alone make the difference?");
    BR_TRY_ASSIGN(const auto record, prober.boot(spec, setup.machine, setup.scenario));
    observer.booted(spec, record.boot,
                    boot_value(record.samples, setup.question.metric, setup.question.mark));
  }
  return std::string();
}

/// All boots that tell: the parent's and the commit's of the search, and the trial's, in time.
std::vector<stats::RevertBoot> all_boots(const TrapSetup& setup, const Oid& parent,
                                         const Oid& commit, const History& history, Trial trial) {
  const NodeIndex index(setup.range, setup.variant);
  const auto good = index.find(kernel(parent, setup.variant));
  const auto bad = index.find(kernel(commit, setup.variant));
  auto boots = std::move(trial.boots);
  for (const auto& seen : gather(history, index, setup.machine, setup.question).boots)
    if (seen.node == good || seen.node == bad)
      boots.push_back({seen.node == bad ? Kernel::bad : Kernel::good, seen.y, seen.time_s});
  std::ranges::stable_sort(boots, {}, &stats::RevertBoot::time_s);
  return boots;
}

/// What the parent's boots in the equivalent variant say, and where they lie.
struct Reading {
  Cause cause = Cause::unknown;
  std::string_view where;
};

Reading reading_of(stats::RevertVerdict verdict) {
  switch (verdict) {
    case stats::RevertVerdict::refuted:
      return {Cause::configuration, "is at the new level, too,"};
    case stats::RevertVerdict::confirmed:
      return {Cause::commit, "stays at the old level"};
    case stats::RevertVerdict::partial:
      return {Cause::both, "lies between the levels"};
    case stats::RevertVerdict::inconclusive:
      break;
  }
  return {Cause::unknown, "cannot be told from either level"};
}

void judge(ConfigChange& change, const std::vector<stats::RevertBoot>& boots) {
  const auto test = stats::judge_revert(boots);
  const auto reading = reading_of(test ? test->verdict : stats::RevertVerdict::inconclusive);
  change.cause = reading.cause;
  change.reason = fmt::format("the parent {} {} with the same by boot arguments ({})",
                              change.parent.abbreviated(), reading.where, change.equivalent);
}

std::string not_measured(const Oid& parent, const std::string& variant, std::string_view why) {
  return fmt::format("the parent {} cannot be measured as {}: {}", parent.abbreviated(), variant,
                     why);
}

/// Measures the parent in the equivalent variant and fills in the cause.
Status find_cause(ConfigChange& change, const TrapSetup& setup, const Commit& commit,
                  Prober& prober) {
  if (setup.equivalent.empty()) {
    change.reason = fmt::format(
        "no boot argument does the same as variant {}, so the "
        "configuration cannot be told from the commit's code",
        setup.variant);
    return {};
  }
  change.equivalent = setup.equivalent;
  const auto spec = kernel(change.parent, setup.equivalent);
  if (const auto why = spent_before_build(setup.allowance, spec, prober); !why.empty()) {
    change.reason = not_measured(change.parent, setup.equivalent, why);
    return {};
  }
  prober.ports().observer.probing(spec, "does the configuration alone make the difference?");
  BR_TRY_ASSIGN(const Image* image, prober.image(spec));
  if (!image) {
    const auto why = skip_reason(prober.history(), spec_key(spec), setup.machine);
    change.reason =
        not_measured(change.parent, setup.equivalent, why.value_or("it does not build"));
    return {};
  }
  const auto* own = image_of(prober.history(), kernel(change.parent, setup.variant));
  if (own != nullptr && own->signature == image->signature && own->boot_args == image->boot_args) {
    change.cause = Cause::commit;
    change.reason = fmt::format(
        "the parent {} was measured with the same by boot arguments "
        "already, and is at the old level",
        change.parent.abbreviated());
    return {};
  }
  BR_TRY_ASSIGN(const auto trouble, measure(setup, spec, prober));
  if (!trouble.empty()) {
    change.reason = not_measured(change.parent, setup.equivalent, trouble);
    return {};
  }
  auto trial = trial_of(setup, spec, prober.history());
  change.value = stats::median(trial.values);
  judge(change, all_boots(setup, change.parent, commit.oid, prober.history(), std::move(trial)));
  return {};
}

}  // namespace

std::vector<ConfigDifference> config_differences(const Image& parent, const Image& commit) {
  std::vector<ConfigDifference> all;
  for (const auto& line : commit.ledger) {
    const auto* other = find_line(parent, line.symbol);
    add(all, line.symbol, other != nullptr ? other->got : value_without_line(line), line.got);
  }
  for (const auto& line : parent.ledger)
    if (find_line(commit, line.symbol) == nullptr)
      add(all, line.symbol, line.got, value_without_line(line));
  add(all, "boot arguments", words(parent.boot_args), words(commit.boot_args));
  add(all, "offloaded CPUs", parent.offload.empty() ? "none" : parent.offload,
      commit.offload.empty() ? "none" : commit.offload);
  return all;
}

Result<std::optional<ConfigChange>> examine_configuration(const TrapSetup& setup,
                                                          const Commit& commit, Prober& prober) {
  const auto* image = image_of(prober.history(), kernel(commit.oid, setup.variant));
  if (image == nullptr) return std::nullopt;
  std::optional<ConfigChange> change;
  for (const auto& parent : commit.parents) {
    const auto* before = image_of(prober.history(), kernel(parent, setup.variant));
    if (before == nullptr) continue;
    auto differences = config_differences(*before, *image);
    if (differences.empty()) return std::nullopt;
    if (!change) change = ConfigChange{.parent = parent, .differences = std::move(differences)};
  }
  if (!change) return std::nullopt;
  BR_TRY(find_cause(*change, setup, commit, prober));
  return change;
}

}  // namespace bisect_run::engine
