#pragma once

#include <string>
#include <string_view>

namespace bisect_run::report {

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

}  // namespace bisect_run::report
