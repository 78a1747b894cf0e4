#pragma once

#include "git/repository.h"
#include "model/error.h"

namespace bisect_run::git {

/// Refuses a repository that belongs to another user, unless git itself trusts it: sudo's user and
/// the person's safe.directory settings count. Errors, usage: with the command that allows it.
Status check_owner(const Repository& repository);

}  // namespace bisect_run::git
