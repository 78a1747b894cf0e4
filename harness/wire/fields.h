#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

// Strict reading of one JSON object. Private to wire/: only its .cpp files include this header.

namespace bisect_run::wire {

using Json = nlohmann::json;

/// Parses one line without throwing: well-formed, not too long, not too deep, an object.
std::expected<Json, std::string> parse_line(std::string_view line);

/// Reads the fields of one object and remembers the first thing that is wrong with it; after that
/// every getter returns an empty value. `finish` also refuses fields that nobody read.
class Fields {
 public:
  /// `object` must outlive this reader; `what` names it in messages, as in `hello`.
  Fields(const Json& object, std::string what);

  std::int64_t integer(const char* name, std::int64_t minimum, std::int64_t maximum);
  std::optional<std::int64_t> optional_integer(const char* name, std::int64_t minimum,
                                               std::int64_t maximum);
  std::optional<double> optional_number(const char* name);
  bool boolean(const char* name);
  std::string text(const char* name, std::size_t longest);
  /// An array of at most `most` elements, or null after a fault.
  const Json* array(const char* name, std::size_t most);
  /// An object of at most `most` fields, or null after a fault.
  const Json* object(const char* name, std::size_t most);

  /// Records a fault found by the caller, unless there is one already.
  void fault(std::string message);
  /// The first fault, or nothing if every field was known and right.
  std::optional<std::string> finish();

 private:
  const Json* find(const char* name, bool required);
  std::int64_t bounded(const Json& value, const char* name, std::int64_t minimum,
                       std::int64_t maximum);

  const Json& object_;
  std::string what_;
  std::set<std::string, std::less<>> read_;
  std::optional<std::string> fault_;
};

}  // namespace bisect_run::wire
