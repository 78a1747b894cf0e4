#pragma once

#include <filesystem>
#include <functional>

#include "bisect/node_set.h"
#include "engine/evidence.h"
#include "git/repository.h"
#include "model/history.h"

namespace bisect_run::cli {

/// What a run set back after its first builds (engine/unread.h), for looking at it later: nothing
/// where the cache no longer knows what a kernel read. The references must outlive the function.
std::function<bisect::NodeSet(const History&)> past_reads(const git::Repository& repository,
                                                          const Range& range,
                                                          const engine::NodeIndex& index,
                                                          const std::filesystem::path& cache);

}  // namespace bisect_run::cli
