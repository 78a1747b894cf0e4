#pragma once

#include "cli/inputs.h"
#include "store/records.h"

namespace bisect_run::cli {

inline constexpr const char* kVersion = "0.1.0";

/// Of a file's bytes; of nothing where it cannot be read.
std::string file_digest(const std::filesystem::path& file);

/// Tells hosts apart without naming them.
std::string host_digest();

/// What is written beside every run about where and with what it was measured. What cannot be
/// found out stays empty; `compiler` may be.
Result<store::Provenance> gather_provenance(const Scenario& scenario,
                                            const std::filesystem::path& scenario_file,
                                            const std::string& compiler, const Places& places);

}  // namespace bisect_run::cli
