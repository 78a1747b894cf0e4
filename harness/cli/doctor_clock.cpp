#include <fmt/format.h>

#include "cli/doctor_lab.h"

namespace bisect_run::cli {
namespace {

constexpr const char* kSubject = "virtual clock";

}  // namespace

/// Without a lab or a kernel there is nothing to say that the check of the accelerator has not
/// said.
Findings check_virtual_clock(const Patient& patient) {
  const auto image = image_to_boot(patient.context.places.cache);
  std::string notice;
  auto lab = image ? doctors_lab(patient, notice) : Result<lab::Lab>(fail(ErrorKind::infra, ""));
  if (!lab) return {};
  Machine machine = patient.recipe.machines.at(patient.recipe.default_machine);
  machine.accelerator = "tcg";
  machine.clock = "virtual";
  const int wanted = machine.cpus;
  const auto works = [&](int cpus) {
    machine.cpus = cpus;
    return lab->prove_virtual_clock(*image, machine, patient.recipe.boot_args).has_value();
  };
  if (works(wanted))
    return {{Finding::Level::fine, kSubject,
             fmt::format("--clock virtual works on {} vCPUs, proven by a boot of Linux {}", wanted,
                         image->release)}};
  if (wanted > 1 && works(1))
    return {{Finding::Level::note, kSubject,
             fmt::format("--clock virtual works on one vCPU only: on {} Linux {} does not come up "
                         "under QEMU {}, as is known of newer kernels under 7.2",
                         wanted, image->release, lab->host().qemu_version)}};
  return {
      {Finding::Level::note, kSubject,
       fmt::format("--clock virtual does not work here: Linux {} does not come up under QEMU {}",
                   image->release, lab->host().qemu_version)}};
}

}  // namespace bisect_run::cli
