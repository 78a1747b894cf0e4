#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

// Private to the files of this room that write JSON.

namespace bisect_run::report {

using Json = nlohmann::ordered_json;

inline Json number(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// The text of one object and a newline; bytes that are no UTF-8 become U+FFFD.
inline std::string written(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bisect_run::report
