#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/doctor.h"
#include "lab/lab.h"

namespace bisect_run::cli {

/// A lab for checks that boot. The first line of what it has to say goes into `notice`, which must
/// outlive it. Errors: those of lab::Lab::open.
Result<lab::Lab> doctors_lab(const Patient& patient, std::string& notice);

/// The newest kernel of the cache that proves something by booting; nothing where none was built.
std::optional<Image> image_to_boot(const std::filesystem::path& cache);

}  // namespace bisect_run::cli
