#pragma once

#include <optional>
#include <string_view>

namespace bisect_run::agent {

/// What the agent does under another program's name: `true`, and `sysctl -w KEY=VALUE`. In a guest
/// it stands in for programs that are not packed. Nothing if `name` is no such name.
std::optional<int> run_applet(std::string_view name, int argc, char** argv);

}  // namespace bisect_run::agent
