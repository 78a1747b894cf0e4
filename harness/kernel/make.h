#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/build_log.h"
#include "kernel/compiler.h"
#include "kernel/isolation.h"
#include "kernel/object_dir.h"
#include "model/error.h"

namespace bisect_run::kernel {

/// How make is called for one tree and object directory.
struct MakeCall {
  std::filesystem::path tree;
  std::filesystem::path ccache;        ///< CCACHE_DIR
  std::uint64_t ccache_bytes = 0;      ///< what it may take; 0: its own default
  std::filesystem::path log;           ///< appended to
  std::string search_path;             ///< PATH
  std::vector<std::string> variables;  ///< NAME=value, after our own: the later one counts
  /// Words added to variables that hold a command or flags, wherever their value comes from.
  std::map<std::string, std::vector<std::string>> flags;
  std::optional<Isolation> isolation;  ///< none: make may do what we may
  /// Files of ours that a build reads, beside its tree.
  std::vector<std::filesystem::path> shown;
  int jobs = 0;  ///< 0: one a core
  double deadline_s = 0;
};

/// Runs `make target` out of tree, in an environment that holds nothing of the person's and
/// nothing that changes from build to build (user, host, time, counter: they enter the image).
/// `more_environment` comes on top. `on_step` hears of every step.
///
/// Errors: skip_build with the first error line (the tree does not build, or not within the
/// deadline), infra (full disk, killed compiler, missing program), interrupted. Sets `orderly` to
/// whether make came to an end by itself, so that what it left can be built upon.
Status make(const MakeCall& call, const ObjectDir& objects, const Compiler& compiler,
            const std::string& target, const std::vector<std::string>& more_environment,
            std::stop_token stop, const std::function<void(const BuildLog&)>& on_step,
            bool& orderly);

}  // namespace bisect_run::kernel
