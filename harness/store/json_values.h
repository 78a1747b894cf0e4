#pragma once

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "model/error.h"

// What the nouns have in common as JSON. For the .cpp files of this room only.

namespace bisect_run::store {

using nlohmann::json;

inline bool is_utf8(const std::string& text) {
  try {
    (void)json(text).dump();
    return true;
  } catch (const json::exception&) {
    return false;
  }
}

/// A text as it is; bytes that are no UTF-8 as {"hex": "…"}.
inline json text_json(const std::string& text) {
  if (is_utf8(text)) return text;
  std::string hex;
  for (const unsigned char byte : text) hex += fmt::format("{:02x}", byte);
  return json{{"hex", hex}};
}

inline std::string text_of(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  const auto hex = value.at("hex").get<std::string>();
  std::string text;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    int byte = 0;
    std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
    text += static_cast<char>(byte);
  }
  return text;
}

inline std::string text_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? std::string{} : text_of(*found);
}

inline void set(json& object, const char* key, const std::optional<double>& value) {
  if (value) object[key] = *value;
}

inline std::optional<double> number_at(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  return found->get<double>();
}

/// Parses and reads; whatever goes wrong with a stored text is the file's fault.
template <class Reader>
auto read(std::string_view text, const char* what, Reader reader)
    -> Result<decltype(reader(json{}))> {
  try {
    return reader(json::parse(text));
  } catch (const std::exception& error) {
    return fail(ErrorKind::infra,
                fmt::format("the results file holds {} that cannot be read; it is damaged", what),
                error.what());
  }
}

}  // namespace bisect_run::store
