#include <fmt/format.h>

#include "cli/doctor_lab.h"

namespace bisect_run::cli {
namespace {

constexpr const char* kSubject = "accelerator";

Finding prove(lab::Lab& lab, const Image& image, const Patient& patient, std::string& notice) {
  Machine machine = patient.recipe.machines.at(patient.recipe.default_machine);
  auto accelerator = lab.accelerator(machine.accelerator, image, patient.recipe.boot_args);
  if (!accelerator) return {Finding::Level::trouble, kSubject, accelerator.error().message};
  machine.accelerator = *accelerator;
  const Boot boot =
      lab.boot(image, machine, {}, patient.recipe.boot_args, {}, patient.context.stop);
  if (boot.outcome != BootOutcome::complete)
    return {Finding::Level::trouble, kSubject,
            fmt::format("{} does not boot Linux {}: {}", *accelerator, image.release, boot.reason)};
  return {Finding::Level::fine, kSubject,
          fmt::format("{}, proven by a boot of Linux {} in {:.1f} s{}", *accelerator, image.release,
                      boot.handshake ? boot.handshake->boot_seconds : boot.wall_seconds,
                      notice.empty() ? "" : "; " + notice)};
}

}  // namespace

Findings check_accelerator(const Patient& patient) {
  std::string notice;
  auto lab = doctors_lab(patient, notice);
  if (!lab) return {{Finding::Level::trouble, "QEMU", lab.error().message}};
  const auto& host = lab->host();
  Findings findings{
      {Finding::Level::fine, "QEMU",
       fmt::format("{} {}, libvirt {} at {}, machine {}", host.emulator, host.qemu_version,
                   host.libvirt_version, patient.arguments.connect.value_or(kDefaultConnect),
                   host.machine)}};
  const auto image = image_to_boot(patient.context.places.cache);
  if (image)
    findings.push_back(prove(*lab, *image, patient, notice));
  else
    findings.push_back({Finding::Level::note, kSubject,
                        "not proven, since no kernel has been built here yet: the first run proves "
                        "it, bisect-run demo for one"});
  return findings;
}

}  // namespace bisect_run::cli
