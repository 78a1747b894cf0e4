#pragma once

#include <string>
#include <string_view>

namespace bisect_run::agent {

/// What a gzip file holds; empty if it is none, is cut, or unpacks to more than 8 MiB.
std::string gunzip(std::string_view packed);

}  // namespace bisect_run::agent
