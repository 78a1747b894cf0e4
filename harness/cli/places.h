#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "model/error.h"

namespace bisect_run::cli {

/// Where things lie. Directories of our own are made when they are first needed.
struct Places {
  std::filesystem::path
      home;  ///< kernels.yaml, scenarios/: the source tree or PREFIX/share/bisect-run
  std::filesystem::path agent;    ///< the static guest agent; empty where none is needed
  std::filesystem::path results;  ///< results.db and the runs' own copies
  std::filesystem::path cache;    ///< kernels, object trees, ccache, initramfs, demo history

  std::filesystem::path database() const { return results / "results.db"; }
  std::filesystem::path scenarios() const { return home / "scenarios"; }
  std::filesystem::path references() const { return part("reference", "results/reference"); }
  std::filesystem::path recipe() const { return home / "kernels.yaml"; }
  /// Headers, wrappers and patches that old trees need with today's tools.
  std::filesystem::path remedies() const { return part("remedies", "harness/remedies"); }
  std::filesystem::path demo_recipe() const { return part("demo", "harness/demo"); }

 private:
  /// A part of what the program brings along: below share/bisect-run when it is installed, and
  /// elsewhere in the source tree.
  std::filesystem::path part(const char* installed, const char* in_tree) const {
    const auto place = home / installed;
    return std::filesystem::exists(place) ? place : home / in_tree;
  }
};

/// `BISECT_RUN_HOME` (set by the launcher) or what lies around the program names the home; results
/// go to `results` if given, else to results/ of a writable source tree, else to the XDG state
/// directory; caches to the XDG cache directory.
/// Errors: usage if the home, or an agent that is needed, is not found.
Result<Places> find_places(const std::optional<std::string>& results, bool needs_agent);

/// The source tree of our own for a repository. One each, always the same: going from commit to
/// commit rewrites little, and ccache knows its objects by their path.
std::filesystem::path tree_directory(const std::filesystem::path& cache,
                                     const std::filesystem::path& repository);

}  // namespace bisect_run::cli
