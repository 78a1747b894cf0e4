#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"
#include "model/scenario.h"

namespace bisect_run::config {

/// What a person chose of a scenario; empty means the scenario's own.
struct ScenarioChoice {
  std::string mode;
  std::vector<std::int64_t> marks;   ///< for the loops that say `marks: default`
  std::vector<std::string> metrics;  ///< only the workloads that measure one of these
  std::optional<int> repetitions;
  std::optional<int> chunks;
};

struct ScenarioSummary {
  std::string name;
  std::string summary;
  std::vector<std::string> modes;
  std::string default_metric;
  std::filesystem::path file;
};

/// Reads, checks and narrows a scenario file; the form is explained in netns-scaling.yaml, the
/// operations in the table of wire/operations.h. Errors: usage; those of the file as
/// `file:line:column: what is wrong; what would be right`.
Result<Scenario> load_scenario(const std::filesystem::path& file, const ScenarioChoice& choice);

/// The same from text, for instance the copy that a run keeps. The scenario's name must be the
/// stem of `name`.
Result<Scenario> parse_scenario(std::string_view text, const std::filesystem::path& name,
                                const ScenarioChoice& choice);

/// Finds NAME.yaml in a directory; a name with a `/` in it or `.yaml` behind it is a file of the
/// user's own. Errors: usage, with the names that exist.
Result<std::filesystem::path> find_scenario(const std::filesystem::path& directory,
                                            std::string_view name);

/// All scenarios of a directory, by name. Errors: usage, of the first file that is wrong.
Result<std::vector<ScenarioSummary>> list_scenarios(const std::filesystem::path& directory);

/// The digest of what is measured: mode, workloads, chunks and repetitions.
std::string digest_of(const Scenario& scenario);

}  // namespace bisect_run::config
