#include "wire/operation_rows.h"

#include <string>
#include <utility>

namespace bisect_run::wire {

ParameterSpec prefix_parameter(std::string_view name, std::string_view meaning,
                               std::string_view fallback, std::int64_t longest) {
  return {.name = name,
          .type = ParameterType::text,
          .meaning = meaning,
          .minimum = 1,
          .maximum = longest,
          .fallback = std::string(fallback),
          .choices = {}};
}

ParameterSpec integer_parameter(std::string_view name, std::string_view meaning,
                                std::int64_t minimum, std::int64_t maximum, std::int64_t fallback) {
  return {.name = name,
          .type = ParameterType::integer,
          .meaning = meaning,
          .minimum = minimum,
          .maximum = maximum,
          .fallback = fallback,
          .choices = {}};
}

ParameterSpec choice_parameter(std::string_view name, std::string_view meaning,
                               std::vector<std::string_view> choices) {
  const std::string first(choices.front());
  return {.name = name,
          .type = ParameterType::choice,
          .meaning = meaning,
          .fallback = first,
          .choices = std::move(choices)};
}

}  // namespace bisect_run::wire
