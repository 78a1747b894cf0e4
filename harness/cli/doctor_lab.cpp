#include "cli/doctor_lab.h"

#include <fstream>
#include <iterator>

#include "kernel/image_cache.h"

namespace bisect_run::cli {
namespace {

/// A kernel that boots without offloading, whatever variant it was built for.
bool offloads_by_itself(const kernel::StoredImage& image) {
  std::ifstream in(image.config);
  const std::string config(std::istreambuf_iterator<char>(in), {});
  for (const char* line : {"CONFIG_RCU_NOCB_CPU_ALL=y", "CONFIG_RCU_NOCB_CPU_ZERO=y"})
    if (config.find(line) != std::string::npos) return true;
  return false;
}

}  // namespace

Result<lab::Lab> doctors_lab(const Patient& patient, std::string& notice) {
  const auto& places = patient.context.places;
  return lab::Lab::open(
      {.work = places.cache / "doctor",
       .agent = places.agent,
       .memory_of_accelerators = places.cache / "accelerators",
       .deadlines = {},
       .notice = [&notice](std::string_view text) { notice = text.substr(0, text.find('\n')); }},
      {.uri = patient.arguments.connect.value_or(kDefaultConnect),
       .capabilities_cache = places.cache / "libvirt",
       .run_tag = "doctor"});
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

}  // namespace bisect_run::cli
