#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/cursor.h"
#include "wire/workload.h"

namespace bisect_run::config {

/// A list of marks: numbers of items, ascending.
Result<std::vector<std::int64_t>> mark_list(const Cursor& list);

/// What is wrong with marks that come from elsewhere; empty when nothing is.
std::string marks_problem(std::span<const std::int64_t> marks);

/// What every workload of a file is read with.
struct WorkloadContext {
  std::vector<std::string> modes;           ///< every step must be possible in all of them
  std::vector<std::int64_t> default_marks;  ///< for `marks: default`; empty: there are none
};

struct ReadWorkloads {
  std::vector<wire::Workload> workloads;
  bool default_marks_used = false;
};

/// Reads the list of workloads; metrics and names are unique.
Result<ReadWorkloads> workload_list(const Cursor& list, const WorkloadContext& context);

}  // namespace bisect_run::config
