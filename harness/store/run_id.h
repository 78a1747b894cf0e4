#pragma once

#include <ctime>
#include <string>

namespace bisect_run::store {

/// A name for a run that began at `now`: its time in UTC and four random letters or digits, such
/// as 20261130-141503-k3f9. Unique in one file only together with its constraint.
std::string make_run_id(std::time_t now);

}  // namespace bisect_run::store
