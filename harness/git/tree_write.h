#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "git/handles.h"
#include "model/error.h"

namespace bisect_run::git {

struct TreeEntry {
  std::uint32_t mode = 0;
  RawId id{};
};

/// Stores an object unless it can be read already; `type` is a git_object_t. Errors: infra.
Result<RawId> write_object(git_repository* repository, int type, std::string_view bytes);

/// `base` (or nothing) with `changes` by path; no entry means removed, directories left empty go.
/// Only directories on the way to a change are written. Errors: infra.
Result<Oid> write_tree(git_repository* repository, const git_tree* base,
                       const std::map<std::string, std::optional<TreeEntry>>& changes);

}  // namespace bisect_run::git
