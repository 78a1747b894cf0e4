#pragma once

#include <filesystem>
#include <stop_token>
#include <thread>

namespace bisect_run::vm {

/// While it lives, reaps the QEMUs that libvirt starts only to examine them. With adopted orphans
/// nobody else does, and without them the system's init may take seconds for each.
class ProbeReaper {
 public:
  explicit ProbeReaper(std::filesystem::path embed_root);

 private:
  std::jthread thread_;
};

}  // namespace bisect_run::vm
