#include "lab/accelerator_memory.h"

#include <fmt/format.h>

#include <fstream>
#include <utility>

namespace bisect_run::lab {

AcceleratorMemory::AcceleratorMemory(std::filesystem::path file, std::string host_boot,
                                     std::string qemu_version)
    : file_(std::move(file)),
      host_boot_(std::move(host_boot)),
      qemu_version_(std::move(qemu_version)) {}

std::string AcceleratorMemory::line(bool works) const {
  return fmt::format("kvm {} boot {} qemu {}", works ? "works" : "fails", host_boot_,
                     qemu_version_);
}

std::optional<bool> AcceleratorMemory::kvm_works() const {
  if (file_.empty()) return std::nullopt;
  std::ifstream in(file_);
  std::string found;
  if (!std::getline(in, found)) return std::nullopt;
  if (found == line(true)) return true;
  if (found == line(false)) return false;
  return std::nullopt;
}

void AcceleratorMemory::remember(bool works) const {
  if (file_.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(file_.parent_path(), ignored);
  std::ofstream(file_) << line(works) << '\n';
}

std::string host_boot_id() {
  std::ifstream in("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(in, id);
  return id;
}

}  // namespace bisect_run::lab
