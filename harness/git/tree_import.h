#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "git/history_writer.h"
#include "model/commit.h"
#include "model/error.h"
#include "model/unique_fd.h"

namespace bisect_run::git {

/// Streams files into the root commit of a repository of our own: `git fast-import` packs them as
/// they come, so memory and time stay small. If it is destroyed before `finish`, git is ended and
/// the commit is not made.
class TreeImport {
 public:
  /// `message` as in NewCommit; tree and parents are ignored. Errors: infra.
  static Result<TreeImport> start(const std::filesystem::path& repository, const NewCommit& root);

  TreeImport(TreeImport&& other) noexcept;
  TreeImport& operator=(TreeImport&&) = delete;
  ~TreeImport();

  /// `mode` is 0100644, 0100755 or 0120000 (then `content` is where the link points). Waits while
  /// git is busy. Errors: infra, with what git said.
  Status add(const std::string& path, std::uint32_t mode, std::string_view content);

  /// Ends the commit and waits for git. Errors: infra.
  Result<Oid> finish();

 private:
  TreeImport(std::filesystem::path repository, UniqueFd input, UniqueFd log, pid_t git)
      : repository_(std::move(repository)),
        input_(std::move(input)),
        log_(std::move(log)),
        git_(git) {}
  Status send(std::string_view bytes);
  Status flush();
  std::unexpected<Error> failure();
  int end();

  std::filesystem::path repository_;
  UniqueFd input_, log_;
  pid_t git_;
  std::string pending_;
};

}  // namespace bisect_run::git
