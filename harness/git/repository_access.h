#pragma once

#include <string>

#include "git/handles.h"
#include "git/repository.h"

namespace bisect_run::git {

struct Repository::State {
  RepositoryHandle handle;
  OdbHandle odb;
};

/// Lets the other .cpp files of this room at the handles of a Repository.
struct RepositoryAccess {
  static git_repository* handle(const Repository& repository) {
    return repository.state_->handle.get();
  }
  static git_odb* odb(const Repository& repository) { return repository.state_->odb.get(); }
};

/// The commit object, parsed. Errors: infra when it is missing or broken.
Result<CommitText> read_commit(git_odb* odb, const RawId& id);

}  // namespace bisect_run::git
