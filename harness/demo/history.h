#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string_view>

#include "demo/recipe.h"
#include "model/commit.h"
#include "model/error.h"

namespace bisect_run::demo {

/// The small history over a real kernel that the demo bisects.
struct History {
  std::filesystem::path repository;  ///< bare; its tags are demo-good and demo-bad
  Oid good, bad;
  Oid planted;  ///< the commit that must be found
};

using Progress = std::function<void(double fraction, std::string_view what)>;

/// Debian's sources of Linux 6.1, from the package linux-source-6.1.
std::filesystem::path default_tarball();

/// Makes the history in `directory`, or takes up the finished one of the same sources and recipe.
///
/// `recipe_directory` holds recipe.txt and patches/. Object names are the same everywhere for the
/// same tarball. About 15 s and 400 MB; a half-made one is made anew. Errors: usage (no tarball,
/// with the package to install; a directory that is not ours or in use), infra (no space, damaged
/// tarball), interrupted.
Result<History> ensure_history(const std::filesystem::path& directory,
                               const std::filesystem::path& recipe_directory, std::stop_token stop,
                               const Progress& progress,
                               const std::filesystem::path& tarball = default_tarball(),
                               Effect effect = Effect::large);

}  // namespace bisect_run::demo
