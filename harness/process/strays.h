#pragma once

#include <string>
#include <string_view>

namespace bisect_run::process {

/// A variable that marks all descendants of one child, also those that left its process group:
/// BISECT_RUN_CHILD=PID.START.N, process and start time of ours and the number of the child.
std::string new_mark();

/// SIGKILL to every process of this user whose environment carries `mark`, until there is none.
/// Returns how many there were. A process that has cleaned its environment is not found.
int kill_marked(std::string_view mark);

/// The same for marks of controllers that live no more: what kill -9 or a crash left behind.
/// Processes of living ones, and of anybody else, are left alone.
int kill_strays_of_the_dead();

}  // namespace bisect_run::process
