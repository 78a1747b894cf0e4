#pragma once

#include <functional>
#include <map>
#include <string>

#include "demo/recipe.h"
#include "git/history_writer.h"
#include "model/error.h"

namespace bisect_run::demo {

/// The marks of a finished replay: good, planted, bad.
using Marks = std::map<std::string, Oid>;

/// Author and committer of every commit of the demo; `step` numbers them, an hour apart.
git::NewCommit new_commit(std::size_t step, std::string message);

/// Makes the commits of `recipe` on top of `root` and points refs/heads/ at the branches.
/// `step_done` hears the number of steps done; an error it returns ends the replay.
/// Errors: usage (a patch does not fit the sources, an unknown branch), infra.
Result<Marks> replay(git::HistoryWriter& writer, const Recipe& recipe, const Oid& root,
                     const std::function<Status(std::size_t)>& step_done);

}  // namespace bisect_run::demo
