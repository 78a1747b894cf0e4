#include "wire/fields.h"

#include <cmath>
#include <utility>

#include "wire/limits.h"
#include "wire/messages.h"

namespace bisect_run::wire {
namespace {

/// Deepest nesting of arrays and objects, counted without parsing.
int nesting_of(std::string_view line) {
  int depth = 0, deepest = 0;
  bool in_text = false, escaped = false;
  for (const char c : line) {
    if (in_text) {
      if (escaped)
        escaped = false;
      else if (c == '\\')
        escaped = true;
      else if (c == '"')
        in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

std::string range_text(std::int64_t minimum, std::int64_t maximum) {
  return std::to_string(minimum) + " to " + std::to_string(maximum);
}

}  // namespace

std::expected<Json, std::string> parse_line(std::string_view line) {
  if (!line.empty() && line.back() == '\n') line.remove_suffix(1);
  if (line.size() >= kMaxLine)
    return std::unexpected("line of " + std::to_string(line.size()) + " bytes is too long");
  if (nesting_of(line) > kMaxNesting)
    return std::unexpected("JSON is nested more than " + std::to_string(kMaxNesting) + " deep");
  Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return std::unexpected("line is not JSON");
  if (!json.is_object()) return std::unexpected("line is not a JSON object");
  return json;
}

Fields::Fields(const Json& object, std::string what) : object_(object), what_(std::move(what)) {
  if (!object_.is_object()) fault("is not an object");
}

void Fields::fault(std::string message) {
  if (!fault_) fault_ = what_ + ": " + std::move(message);
}

const Json* Fields::find(const char* name, bool required) {
  read_.insert(name);
  if (fault_) return nullptr;
  const auto found = object_.find(name);
  if (found != object_.end()) return &*found;
  if (required) fault(std::string("field ") + name + " is missing");
  return nullptr;
}

std::int64_t Fields::bounded(const Json& value, const char* name, std::int64_t minimum,
                             std::int64_t maximum) {
  const bool too_big = value.is_number_unsigned() &&
                       value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  if (!value.is_number_integer()) {
    fault(std::string(name) + " is not an integer");
  } else if (too_big || value.get<std::int64_t>() < minimum ||
             value.get<std::int64_t>() > maximum) {
    fault(std::string(name) + " is not in " + range_text(minimum, maximum));
  } else {
    return value.get<std::int64_t>();
  }
  return minimum;
}

std::int64_t Fields::integer(const char* name, std::int64_t minimum, std::int64_t maximum) {
  const Json* value = find(name, true);
  return value ? bounded(*value, name, minimum, maximum) : minimum;
}

std::optional<std::int64_t> Fields::optional_integer(const char* name, std::int64_t minimum,
                                                     std::int64_t maximum) {
  const Json* value = find(name, false);
  if (!value) return std::nullopt;
  return bounded(*value, name, minimum, maximum);
}

std::optional<double> Fields::optional_number(const char* name) {
  const Json* value = find(name, false);
  if (!value) return std::nullopt;
  if (!value->is_number()) {
    fault(std::string(name) + " is not a number");
    return std::nullopt;
  }
  const double number = value->get<double>();
  if (!std::isfinite(number)) {
    fault(std::string(name) + " is not finite");
    return std::nullopt;
  }
  return number;
}

bool Fields::boolean(const char* name) {
  const Json* value = find(name, true);
  if (value && !value->is_boolean()) fault(std::string(name) + " is not true or false");
  return value && value->is_boolean() && value->get<bool>();
}

std::string Fields::text(const char* name, std::size_t longest) {
  const Json* value = find(name, true);
  if (!value) return {};
  if (!value->is_string()) {
    fault(std::string(name) + " is not a text");
    return {};
  }
  const auto& text = value->get_ref<const std::string&>();
  if (text.size() <= longest) return text;
  fault(std::string(name) + " is longer than " + std::to_string(longest) + " bytes");
  return {};
}

const Json* Fields::array(const char* name, std::size_t most) {
  const Json* value = find(name, true);
  if (!value) return nullptr;
  if (!value->is_array())
    fault(std::string(name) + " is not a list");
  else if (value->size() > most)
    fault(std::string(name) + " has more than " + std::to_string(most) + " elements");
  else
    return value;
  return nullptr;
}

const Json* Fields::object(const char* name, std::size_t most) {
  const Json* value = find(name, true);
  if (!value) return nullptr;
  if (!value->is_object())
    fault(std::string(name) + " is not an object");
  else if (value->size() > most)
    fault(std::string(name) + " has more than " + std::to_string(most) + " fields");
  else
    return value;
  return nullptr;
}

std::optional<std::string> Fields::finish() {
  if (fault_) return fault_;
  for (const auto& [name, value] : object_.items())
    if (!read_.contains(name)) return what_ + ": unknown field " + name.substr(0, kMaxName);
  return std::nullopt;
}

}  // namespace bisect_run::wire
