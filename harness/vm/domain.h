#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "model/error.h"

namespace bisect_run::vm {

/// How the agent is reached. The second ISA serial port needs neither PCI nor ACPI and exists in
/// every kernel.
enum class Transport { isa_serial };

/// One VM life, to be started with a kernel of our own.
struct DomainSpec {
  std::string name;  ///< unique on the host: Host::unique_name()
  std::filesystem::path kernel, initrd;
  std::string cmdline;
  int cpus = 2;
  int memory_mib = 512;
  bool kvm = false;            ///< else TCG
  bool virtual_clock = false;  ///< QEMU's instruction-counted clock; TCG only
  Transport transport = Transport::isa_serial;
  /// Of one file that QEMU writes for the guest, its console for one; beyond it nothing is written.
  /// More than anybody reads, for when nobody does: a suspended or killed controller. Local VMs
  /// only.
  std::uint64_t most_written_bytes = std::uint64_t{64} << 20;
};

enum class DomainEnd {
  running,
  shut_off,   ///< the guest went by itself: power-off, reboot or triple fault, which look the same
  crashed,    ///< the guest reported a panic
  destroyed,  ///< by us
  failed,     ///< QEMU itself ended: killed, aborted; or libvirt gave it up
};

/// A running VM with its agent channel. Passive: libvirt's event thread fills a mailbox, the owner
/// looks into it. The destructor destroys the VM.
class Domain {
 public:
  using Clock = std::chrono::steady_clock;

  /// What happened since the last look.
  struct Activity {
    std::string received;         ///< bytes of the agent channel, unframed
    bool channel_closed = false;  ///< no further bytes will come
    DomainEnd end = DomainEnd::running;
  };

  class Impl;
  explicit Domain(std::unique_ptr<Impl> impl);
  ~Domain();
  Domain(const Domain&) = delete;
  Domain& operator=(const Domain&) = delete;

  /// Returns as soon as there is something new, else at the deadline or when stopped.
  Activity wait(Clock::time_point deadline, std::stop_token stop = {});

  /// Queues bytes for the agent. Never blocks; bytes for a closed channel are dropped.
  void send(std::string_view bytes);

  const std::string& name() const;
  /// What the guest writes on its console. On the VM host, gone with the Domain.
  const std::filesystem::path& console() const;

  /// CPU time that the VM has used so far, 0 where that is unknown.
  double cpu_seconds() const;
  /// QEMU is there but was stopped by a signal or by libvirt: the host's doing.
  bool held() const;

  /// Ends the VM and waits until it is gone, at most 10 s. Errors: infra. Done twice it is a no-op.
  Status destroy();

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace bisect_run::vm
