#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace bisect_run::lab {

/// Remembers whether KVM worked, in a file of one line. A new boot of the host or another QEMU
/// makes the memory void.
class AcceleratorMemory {
 public:
  AcceleratorMemory(std::filesystem::path file, std::string host_boot, std::string qemu_version);

  std::optional<bool> kvm_works() const;
  /// Best effort: without the memory the next run proves it again.
  void remember(bool works) const;

 private:
  std::string line(bool works) const;

  std::filesystem::path file_;
  std::string host_boot_, qemu_version_;
};

/// The id of this boot of the host; empty where the kernel tells none.
std::string host_boot_id();

}  // namespace bisect_run::lab
