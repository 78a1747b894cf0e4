#pragma once

#include <string>

namespace bisect_run::wire {

/// The text of scenarios/README.md: how to write a scenario, and every operation of the table.
std::string scenarios_readme();

}  // namespace bisect_run::wire
