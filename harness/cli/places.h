#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "model/error.h"

namespace bisect_run::cli {

/// Where things lie. Directories of our own are made when they are first needed.
struct Places {
  std::filesystem::path home;       ///< kernels.yaml, scenarios/: the source tree or PREFIX/share/bisect-run
  std::filesystem::path agent;      ///< the static guest agent
  std::filesystem::path results;    ///< results.db and the runs' own copies
  std::filesystem::path cache;      ///< kernels, object trees, ccache, initramfs, demo history

  std::filesystem::path database() const { return results / "results.db"; }
  std::filesystem::path scenarios() const { return home / "scenarios"; }
  std::filesystem::path references() const { return home / "results" / "reference"; }
  std::filesystem::path recipe() const { return home / "kernels.yaml"; }
  /// Headers, wrappers and patches that old trees need with today's tools.
  std::filesystem::path remedies() const { return home / "harness" / "remedies"; }
  std::filesystem::path demo_recipe() const { return home / "harness" / "demo"; }
};

/// `BISECT_RUN_HOME` (set by the launcher) or what lies around the program names the home; results
/// go to `results` if given, else to results/ of a writable source tree, else to the XDG state
/// directory; caches to the XDG cache directory.
/// Errors: usage if the home or the agent is not found.
Result<Places> find_places(const std::optional<std::string>& results);

/// The source tree of our own for a repository. One each, always the same: going from commit to
/// commit rewrites little, and ccache knows its objects by their path.
std::filesystem::path tree_directory(const std::filesystem::path& cache,
                                     const std::filesystem::path& repository);

}  // namespace bisect_run::cli
