#include "lab/outcome.h"

namespace bisect_run::lab {
namespace {

// Firmware and decompression alone take more CPU time than this, under KVM as well: a VM below it
// and without a byte of output never ran, so its silence says nothing about its kernel. A guest
// that halts after output, or a busy one, is a hang of its own.
constexpr double kNeverRan_s = 0.01;

std::optional<Ending> fault_of_host(const Evidence& it) {
  if (it.stopped) return Ending{BootOutcome::interrupted, "stopped before it was done"};
  if (!it.recorder_error.empty()) return Ending{BootOutcome::infra, it.recorder_error};
  if (it.session && it.session->outcome == BootOutcome::complete) return it.session;
  // A guest whose console ran into the limit of what QEMU may write has brought that on itself.
  if (it.domain == vm::DomainEnd::failed && !it.flooded)
    return Ending{BootOutcome::infra, "QEMU ended although the guest did not: killed or aborted"};
  if (it.domain == vm::DomainEnd::destroyed)
    return Ending{BootOutcome::infra, "somebody else destroyed the VM"};
  if (it.domain == vm::DomainEnd::running && it.held)
    return Ending{BootOutcome::infra, "QEMU was stopped from outside"};
  const bool silent = it.console_bytes == 0 && it.channel_bytes == 0;
  if (it.domain == vm::DomainEnd::running && silent && it.cpu_seconds < kNeverRan_s)
    return Ending{BootOutcome::infra, "the host gave the VM no time to run"};
  return std::nullopt;
}

std::string with_oops(std::string reason, const Evidence& it) {
  return it.oops.empty() ? reason : reason + "; earlier: " + it.oops;
}

}  // namespace

Ending classify(const Evidence& it) {
  if (const auto fault = fault_of_host(it)) return *fault;
  if (!it.panic.empty()) return {BootOutcome::panic, with_oops(it.panic, it)};
  if (it.domain == vm::DomainEnd::crashed)
    return {BootOutcome::panic, with_oops("the guest reported a panic", it)};
  if (it.flooded)
    return {BootOutcome::hang, with_oops("the console was flooded with more than 16 MiB", it)};
  if (it.session) return {it.session->outcome, with_oops(it.session->reason, it)};
  if (it.domain == vm::DomainEnd::shut_off)
    return {
        BootOutcome::gone,
        with_oops("the VM ended by itself without a word: power-off, reboot or triple fault", it)};
  if (it.channel_closed) return {BootOutcome::infra, "the agent's channel was lost"};
  return {BootOutcome::infra, "the boot ended without a cause"};
}

}  // namespace bisect_run::lab
