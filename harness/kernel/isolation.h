#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/error.h"

namespace bisect_run::kernel {

/// Runs programs that strangers wrote, as the Makefiles of a kernel are, where they can do little:
/// in namespaces of their own, made by bwrap(1). They see the installed programs, a few files of
/// /etc and what a View adds, all read-only but for the View's writable part and an empty /tmp. No
/// network, no other processes, no privileges, no terminal. When the first program ends, or its
/// parent is killed, all that it started ends. Paths are the same inside and outside.
class Isolation {
 public:
  struct View {
    std::vector<std::filesystem::path> readable, writable;
  };

  /// Proves by running a program that this machine can do it. `search_path` is a PATH. Error:
  /// infra, saying why not and what helps.
  static Result<Isolation> find(const std::string& search_path);

  /// The words that run `command` in it. A SIGTERM to their process group reaches `command` alone,
  /// which may end in its own time.
  std::vector<std::string> around(const std::vector<std::string>& command, const View& view) const;

 private:
  std::filesystem::path bwrap_;
};

/// What must be shown beside the system's own directories so that these programs can be run: the
/// installation that each lies in (the directory above its bin/), or its directory alone where that
/// would show a home directory. `programs` are names or paths, found through `search_path`.
std::vector<std::filesystem::path> installations_of(const std::vector<std::string>& programs,
                                                    const std::string& search_path);

}  // namespace bisect_run::kernel
