// Repository::resolve: what a person calls a commit.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <git2.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "git/program.h"
#include "git/repository_access.h"
#include "git/spelling.h"
#include "model/try.h"

namespace bisect_run::git {
namespace {

std::vector<std::string> short_reference_names(git_repository* repository) {
  std::vector<std::string> names;
  git_reference_foreach_name(
      repository,
      [](const char* full, void* into) {
        std::string_view name = full;
        for (const std::string_view prefix : {"refs/heads/", "refs/tags/", "refs/remotes/"})
          if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
        static_cast<std::vector<std::string>*>(into)->emplace_back(name);
        return 0;
      },
      &names);
  return names;
}

std::unexpected<Error> unknown(const Repository& repository, const std::string& revision) {
  std::string message =
      fmt::format("{} knows no revision '{}'", repository.path().string(), revision);
  const std::string name = revision.substr(0, revision.find_first_of("~^@:"));
  const auto near =
      nearest_names(name, short_reference_names(RepositoryAccess::handle(repository)));
  if (!near.empty() && near.front() != name)
    message += fmt::format("; did you mean {}?", fmt::join(near, " or "));
  if (revision.find("..") != revision.npos)
    message += "; give the two ends apart: GOOD BAD";
  else if (repository.shallow())
    message += "; this is a shallow clone, fetch the rest with: git fetch --unshallow --tags";
  else if (near.empty())
    message += "; if it is new, fetch it first";
  return fail(ErrorKind::usage, std::move(message));
}

/// What git makes of `revision`; empty where it makes nothing of it.
Result<std::string> ask_git(const Repository& repository, const std::string& revision) {
  // A search text runs to the end of the line and is a commit anyway.
  const std::string peeled = revision.starts_with(":/") ? revision : revision + "^{commit}";
  // Who owns the repository was checked when it was opened, with the person's own exceptions.
  BR_TRY_ASSIGN(ProgramOutput answer,
                run_git(repository.path(),
                        {"-c", "safe.directory=*", "--git-dir=" + repository.git_dir().string(),
                         "rev-parse", "--verify", "--quiet", "--end-of-options", peeled},
                        {.deadline = std::chrono::seconds(60)}));
  std::string& hex = answer.out;
  hex.erase(std::min(hex.find('\n'), hex.size()));
  return answer.exit_code == 0 && hex.size() == GIT_OID_HEXSZ ? hex : std::string();
}

}  // namespace

// git decides what a name means, so that nobody has to learn a second grammar. libgit2 tells why a
// name means nothing.
Result<Oid> Repository::resolve(const std::string& revision) const {
  if (revision.empty()) return fail(ErrorKind::usage, "the name of a revision is empty");
  if (revision.find('\0') != revision.npos || revision.find('\n') != revision.npos)
    return fail(ErrorKind::usage, "the name of a revision is one line of text");
  BR_TRY_ASSIGN(const std::string hex, ask_git(*this, revision));
  if (!hex.empty()) return Oid{hex};
  git_object* found = nullptr;
  const int code = git_revparse_single(&found, state_->handle.get(), revision.c_str());
  const ObjectHandle object(found);
  if (code == GIT_EAMBIGUOUS)
    return fail(ErrorKind::usage,
                fmt::format("'{}' fits several commits; give more digits", revision));
  if (code == 0 && git_object_type(found) != GIT_OBJECT_COMMIT)
    return fail(ErrorKind::usage, fmt::format("'{}' is a {}, not a commit", revision,
                                              git_object_type2string(git_object_type(found))));
  return unknown(*this, revision);
}

}  // namespace bisect_run::git
