#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "cli/doctor.h"
#include "kernel/image_cache.h"
#include "lab/lab.h"
#include "model/try.h"

namespace bisect_run::cli {
namespace {

constexpr const char* kSubject = "accelerator";

/// A kernel that boots without offloading, whatever variant it was built for.
bool offloads_by_itself(const kernel::StoredImage& image) {
  std::ifstream in(image.config);
  const std::string config(std::istreambuf_iterator<char>(in), {});
  for (const char* line : {"CONFIG_RCU_NOCB_CPU_ALL=y", "CONFIG_RCU_NOCB_CPU_ZERO=y"})
    if (config.find(line) != std::string::npos) return true;
  return false;
}

std::optional<Image> image_to_boot(const std::filesystem::path& cache) {
  const auto images = kernel::ImageCache::open(cache / "images");
  if (!images) return std::nullopt;
  for (const auto& key : images->newest_first()) {
    const auto stored = images->find(key);
    if (!stored || offloads_by_itself(*stored)) continue;
    Image image;
    image.build_id = stored->build_id;
    image.config_digest = stored->config_digest;
    image.release = stored->release;
    image.bzimage = stored->bzimage;
    image.config = stored->config;
    return image;
  }
  return std::nullopt;
}

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
  const auto& places = patient.context.places;
  std::string notice;
  auto lab = lab::Lab::open(
      {.work = places.cache / "doctor",
       .agent = places.agent,
       .memory_of_accelerators = places.cache / "accelerators",
       .deadlines = {},
       .notice = [&notice](std::string_view text) { notice = text.substr(0, text.find('\n')); }},
      {.uri = patient.arguments.connect,
       .capabilities_cache = places.cache / "libvirt",
       .run_tag = "doctor"});
  if (!lab) return {{Finding::Level::trouble, "QEMU", lab.error().message}};
  const auto& host = lab->host();
  Findings findings{
      {Finding::Level::fine, "QEMU",
       fmt::format("{} {}, libvirt {} at {}, machine {}", host.emulator, host.qemu_version,
                   host.libvirt_version, patient.arguments.connect, host.machine)}};
  const auto image = image_to_boot(places.cache);
  if (image)
    findings.push_back(prove(*lab, *image, patient, notice));
  else
    findings.push_back({Finding::Level::note, kSubject,
                        "not proven, since no kernel has been built here yet: the first run proves "
                        "it, bisect-run demo for one"});
  return findings;
}

}  // namespace bisect_run::cli
