#include <git2.h>

#include "git/repository.h"
#include "git/repository_access.h"
#include "model/try.h"

namespace bisect_run::git {

Result<bool> Repository::contains(const Oid& commit, const std::string& ancestor) const {
  const auto resolved = resolve(ancestor);
  if (!resolved) return false;
  if (*resolved == commit) return true;
  BR_TRY_ASSIGN(const RawId below, raw_id(commit));
  BR_TRY_ASSIGN(const RawId above, raw_id(*resolved));
  const git_oid descendant = to_git(below), base = to_git(above);
  const int code = git_graph_descendant_of(state_->handle.get(), &descendant, &base);
  if (code < 0) return std::unexpected(library_error(code, "the ancestors of " + commit.hex));
  return code == 1;
}

}  // namespace bisect_run::git
