#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "report/host_state.h"

// Private to the files of this room that write JSON.

namespace bisect_run::report {

using Json = nlohmann::ordered_json;

inline Json number(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// A text that is empty where it is not known.
inline Json text(const std::string& value) {
  return value.empty() ? Json(nullptr) : Json(value);
}

/// Low and high of each number over all boots; null where nothing is known.
inline Json host_state_json(const HostState& state) {
  const auto range = [](const HostState::Range& it) -> Json {
    if (!it.low) return nullptr;
    return {*it.low, *it.high};
  };
  return {{"boots", state.boots},
          {"disturbed", state.disturbed},
          {"load", range(state.load)},
          {"others", range(state.others)},
          {"steal", range(state.steal)},
          {"mhz", range(state.mhz)},
          {"suspended_s", state.suspended_s}};
}

/// The text of one object and a newline; bytes that are no UTF-8 become U+FFFD.
inline std::string written(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bisect_run::report
