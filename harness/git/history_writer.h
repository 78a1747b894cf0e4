#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model/commit.h"
#include "model/error.h"
#include "model/kernel.h"

namespace bisect_run::git {

/// What makes a commit; equal fields give equal object names everywhere.
struct NewCommit {
  Oid tree;
  std::vector<Oid> parents;
  std::string author;     ///< `Name <mail>`, committer too
  std::int64_t time = 0;  ///< seconds since the epoch, UTC
  std::string message;    ///< subject, blank line, text
};

/// A bare repository of our own to which history is written without a work tree.
class HistoryWriter {
 public:
  /// Makes `repository`, which must not be there yet. Errors: infra.
  static Result<HistoryWriter> create(const std::filesystem::path& repository);
  static Result<HistoryWriter> open(const std::filesystem::path& repository);

  HistoryWriter(HistoryWriter&&) noexcept;
  HistoryWriter& operator=(HistoryWriter&&) noexcept;
  ~HistoryWriter();

  /// The tree of `commit_or_tree` with patches on top; see git/apply.h. Errors: usage, infra.
  Result<Oid> patched_tree(const Oid& commit_or_tree, const std::vector<Patch>& patches);
  Result<Oid> commit(const NewCommit& commit);

  /// Points a full reference name (refs/tags/x) at a commit, whatever it was. Errors: infra.
  Status set_reference(const std::string& name, const Oid& commit);

 private:
  struct State;
  explicit HistoryWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace bisect_run::git
