#include "store/json_values.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <stdexcept>

namespace bisect_run::store {
namespace {

bool is_utf8(const std::string& text) {
  try {
    (void)json(text).dump();
    return true;
  } catch (const json::exception&) {
    return false;
  }
}

}  // namespace

json text_json(const std::string& text) {
  if (is_utf8(text)) return text;
  std::string hex;
  for (const unsigned char byte : text) hex += fmt::format("{:02x}", byte);
  return json{{"hex", hex}};
}

std::string text_of(const json& value) {
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

std::string text_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? std::string{} : text_of(*found);
}

Oid oid_of(const std::string& text) {
  if (text.size() > 64 ||
      !std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; }))
    throw std::invalid_argument("no object name");
  return {text};
}

void set(json& object, const char* key, const std::optional<double>& value) {
  if (value) object[key] = *value;
}

std::optional<double> number_at(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  return found->get<double>();
}

}  // namespace bisect_run::store
