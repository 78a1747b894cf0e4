#include <fmt/format.h>

#include <algorithm>

#include "config/cursor.h"
#include "config/scenario.h"
#include "model/try.h"

namespace bisect_run::config {
namespace {

/// The scenario files of a directory, by name.
Result<std::vector<std::filesystem::path>> scenario_files(const std::filesystem::path& directory) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error))
    if (it->path().extension() == ".yaml") files.push_back(it->path());
  if (error)
    return fail(ErrorKind::usage, fmt::format("{}: cannot be read as a directory of scenarios: {}",
                                              directory.string(), error.message()));
  std::ranges::sort(files);
  return files;
}

}  // namespace

Result<std::filesystem::path> find_scenario(const std::filesystem::path& directory,
                                            std::string_view name) {
  if (name.contains('/') || name.ends_with(".yaml")) return std::filesystem::path(name);
  BR_TRY_ASSIGN(const auto files, scenario_files(directory));
  std::vector<std::string> known;
  for (const auto& file : files) {
    if (file.stem().string() == name) return file;
    known.push_back(file.stem().string());
  }
  if (known.empty())
    return fail(ErrorKind::usage, fmt::format("{} holds no scenario", directory.string()));
  return fail(ErrorKind::usage,
              fmt::format("no scenario '{}'{}", name,
                          hint(name, std::vector<std::string_view>(known.begin(), known.end()))));
}

Result<std::vector<ScenarioSummary>> list_scenarios(const std::filesystem::path& directory) {
  BR_TRY_ASSIGN(const auto files, scenario_files(directory));
  std::vector<ScenarioSummary> summaries;
  for (const auto& file : files) {
    BR_TRY_ASSIGN(auto scenario, load_scenario(file, {}));
    summaries.push_back(
        {scenario.name, scenario.summary, scenario.modes, scenario.default_metric, file});
  }
  return summaries;
}

}  // namespace bisect_run::config
