#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "model/error.h"
#include "vm/domain.h"

namespace bisect_run::vm {

struct HostSettings {
  std::string uri = "qemu:///embed";
  /// A directory kept over runs. libvirt's first look at a QEMU takes seconds; its result is
  /// carried from one controller to the next through here. Empty: not kept.
  std::filesystem::path capabilities_cache;
  std::string run_tag;  ///< at most 12 of [a-z0-9]; goes into domain names
};

struct HostFacts {
  std::string qemu_version, libvirt_version;
  std::string emulator;  ///< path
  std::string machine;   ///< versioned machine type: pc-i440fx-7.2
};

/// A place where VMs run: QEMU through one libvirt connection. One at a time in a process.
class Host {
 public:
  /// Sweeps leftovers of dead controllers, then connects. Errors: infra when something is missing
  /// or fails, with the package or command that helps; usage for a URI that cannot work.
  static Result<Host> connect(HostSettings settings);

  Host(Host&&) noexcept;
  Host& operator=(Host&&) noexcept;
  ~Host();  ///< destroys nothing that still has an owner: Domains must be gone before

  /// bisect-run-TAG-N, never given twice.
  std::string unique_name();

  /// Starts a VM and opens its channel. Errors: infra, always: a kernel cannot make this fail.
  Result<std::unique_ptr<Domain>> create(const DomainSpec& spec);

  const HostFacts& facts() const;

  class Impl;

 private:
  explicit Host(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace bisect_run::vm
