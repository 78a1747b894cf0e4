#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "git/repository.h"
#include "model/run.h"

namespace bisect_run::cli {

/// What a `git bisect log` says, as `git bisect replay` would read it. Revisions as written.
struct BisectLog {
  std::string bad;                ///< the last one: git forgets the others
  std::vector<std::string> good;  ///< in the order of the log
  std::vector<std::string> skip;
  std::vector<std::string> paths;
  bool first_parent = false;
};

/// Errors: usage, naming the line that is no line of such a log.
Result<BisectLog> parse_bisect_log(std::string_view text);

/// Takes ends and skips of the log into a request for a bisect: its kernels become the good end
/// that was found last and the bad one, both without a variant. Good commits that are no ancestors
/// of BAD count for what both have in common.
///
/// These are somebody's claims, not numbers: they narrow the range, and the ends are measured.
/// Errors: usage, for a log that cannot be read or names no two ends of this repository.
Status import_bisect_log(const std::filesystem::path& file, const git::Repository& repository,
                         RunRequest& request);

}  // namespace bisect_run::cli
