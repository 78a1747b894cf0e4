#pragma once

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "model/commit.h"
#include "model/error.h"

// Texts and numbers in the JSON of this room. Private to it.

namespace bisect_run::store {

using nlohmann::json;

/// A text as it is; bytes that are no UTF-8 as {"hex": "…"}.
json text_json(const std::string& text);
std::string text_of(const json& value);
/// Empty where the object has no such field.
std::string text_at(const json& object, const char* key);

/// An object name. Throws for what is none: it is printed and handed to git as it is.
Oid oid_of(const std::string& text);

/// Writes nothing for no value.
void set(json& object, const char* key, const std::optional<double>& value);
std::optional<double> number_at(const json& object, const char* key);

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
