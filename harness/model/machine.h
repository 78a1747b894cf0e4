#pragma once

#include <string>

namespace bisect_run {

/// The virtual machine a kernel is measured on. Part of the identity of every sample.
struct Machine {
  int cpus = 2;
  int memory_mib = 512;
  std::string accelerator = "auto";  ///< auto, kvm or tcg; once resolved: kvm or tcg
  std::string clock = "real";        ///< real; virtual is QEMU's instruction-counted clock

  /// No VM: this machine's own kernel was measured. Accelerator `none` says so.
  bool is_host() const { return accelerator == "none"; }

  bool operator==(const Machine&) const = default;
};

/// `2 vCPUs, 512 MiB, tcg`.
std::string describe(const Machine& machine);

}  // namespace bisect_run
