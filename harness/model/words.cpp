#include <array>
#include <utility>

#include "model/boot.h"
#include "model/error.h"
#include "model/kernel.h"
#include "model/machine.h"
#include "model/recipe.h"
#include "model/run.h"
#include "model/scenario.h"
#include "model/verdict.h"

#include <fmt/format.h>

// The stable words of every enumeration: stored in the database and printed in JSON, so a word
// once given is never changed.

namespace bisect_run {
namespace {

template <class Enum, std::size_t N>
using Words = std::array<std::pair<Enum, std::string_view>, N>;

template <class Enum, std::size_t N>
std::string_view word_of(const Words<Enum, N>& words, Enum value) {
  for (const auto& [candidate, word] : words)
    if (candidate == value) return word;
  return "unknown";
}

template <class Enum, std::size_t N>
std::optional<Enum> value_of(const Words<Enum, N>& words, std::string_view word) {
  for (const auto& [value, candidate] : words)
    if (candidate == word) return value;
  return std::nullopt;
}

constexpr Words<ErrorKind, 7> kErrorKinds{{
    {ErrorKind::usage, "usage"},
    {ErrorKind::skip_build, "skip-build"},
    {ErrorKind::skip_boot, "skip-boot"},
    {ErrorKind::skip_guest, "skip-guest"},
    {ErrorKind::infra, "infra"},
    {ErrorKind::interrupted, "interrupted"},
    {ErrorKind::bug, "bug"},
}};

constexpr Words<LedgerFate, 3> kLedgerFates{{
    {LedgerFate::kept, "kept"},
    {LedgerFate::unknown_symbol, "unknown"},
    {LedgerFate::unmet, "unmet"},
}};

constexpr Words<BootOutcome, 12> kBootOutcomes{{
    {BootOutcome::running, "running"},
    {BootOutcome::complete, "complete"},
    {BootOutcome::panic, "panic"},
    {BootOutcome::hang, "hang"},
    {BootOutcome::gone, "gone"},
    {BootOutcome::wrong_kernel, "wrong-kernel"},
    {BootOutcome::variant_lost, "variant-lost"},
    {BootOutcome::scenario_failed, "scenario-failed"},
    {BootOutcome::protocol, "protocol"},
    {BootOutcome::infra, "infra"},
    {BootOutcome::interrupted, "interrupted"},
    {BootOutcome::disturbed, "disturbed"},
}};

constexpr Words<Outcome, 5> kOutcomes{{
    {Outcome::abort, "abort"},
    {Outcome::skip, "skip"},
    {Outcome::undecided, "undecided"},
    {Outcome::bad, "bad"},
    {Outcome::good, "good"},
}};

constexpr Words<Answer::Kind, 3> kAnswerKinds{{
    {Answer::Kind::commit, "commit"},
    {Answer::Kind::set, "set"},
    {Answer::Kind::none, "none"},
}};

constexpr Words<ConfigChange::Cause, 4> kConfigCauses{{
    {ConfigChange::Cause::unknown, "unknown"},
    {ConfigChange::Cause::configuration, "configuration"},
    {ConfigChange::Cause::commit, "commit"},
    {ConfigChange::Cause::both, "both"},
}};

constexpr Words<RunKind, 5> kRunKinds{{
    {RunKind::bisect, "bisect"},
    {RunKind::compare, "compare"},
    {RunKind::scenario, "scenario"},
    {RunKind::calibrate, "calibrate"},
    {RunKind::judge, "judge"},
}};

constexpr Words<RunStatus, 6> kRunStatuses{{
    {RunStatus::running, "running"},
    {RunStatus::answered, "answered"},
    {RunStatus::unanswered, "unanswered"},
    {RunStatus::refused, "refused"},
    {RunStatus::failed, "failed"},
    {RunStatus::interrupted, "interrupted"},
}};

}  // namespace

std::string_view to_string(ErrorKind kind) {
  return word_of(kErrorKinds, kind);
}
std::string_view to_string(LedgerFate fate) {
  return word_of(kLedgerFates, fate);
}
std::string_view to_string(BootOutcome outcome) {
  return word_of(kBootOutcomes, outcome);
}
std::string_view to_string(Outcome outcome) {
  return word_of(kOutcomes, outcome);
}
std::string_view to_string(Answer::Kind kind) {
  return word_of(kAnswerKinds, kind);
}
std::string_view to_string(ConfigChange::Cause cause) {
  return word_of(kConfigCauses, cause);
}
std::string_view to_string(RunKind kind) {
  return word_of(kRunKinds, kind);
}
std::string_view to_string(RunStatus status) {
  return word_of(kRunStatuses, status);
}

std::optional<ErrorKind> error_kind_from(std::string_view word) {
  return value_of(kErrorKinds, word);
}
std::optional<LedgerFate> ledger_fate_from(std::string_view word) {
  return value_of(kLedgerFates, word);
}
std::optional<BootOutcome> boot_outcome_from(std::string_view word) {
  return value_of(kBootOutcomes, word);
}
std::optional<ConfigChange::Cause> config_cause_from(std::string_view word) {
  return value_of(kConfigCauses, word);
}
std::optional<RunKind> run_kind_from(std::string_view word) {
  return value_of(kRunKinds, word);
}
std::optional<RunStatus> run_status_from(std::string_view word) {
  return value_of(kRunStatuses, word);
}

std::string describe(const Machine& machine) {
  if (machine.is_host()) return fmt::format("this machine, {} CPUs", machine.cpus);
  return fmt::format("{} vCPU{}, {} MiB, {}{}", machine.cpus, machine.cpus == 1 ? "" : "s",
                     machine.memory_mib, machine.accelerator,
                     machine.clock == "real" ? "" : ", " + machine.clock + " clock");
}

const VariantRule* Recipe::variant(std::string_view name) const {
  for (const auto& rule : variants)
    if (rule.name == name) return &rule;
  return nullptr;
}

const NamedKernel* Recipe::kernel(std::string_view name) const {
  for (const auto& named : kernels)
    if (named.name == name) return &named;
  return nullptr;
}

const wire::Loop* find_loop(const Scenario& scenario, std::string_view metric) {
  for (const auto& workload : scenario.workloads)
    for (const auto& loop : workload.loops)
      if (loop.metric == metric) return &loop;
  return nullptr;
}

}  // namespace bisect_run
