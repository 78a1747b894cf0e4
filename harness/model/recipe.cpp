#include "model/recipe.h"

namespace bisect_run {

std::optional<Isolate> parse_isolate(std::string_view word) {
  if (word == "auto") return Isolate::where_possible;
  if (word == "always") return Isolate::always;
  if (word == "never") return Isolate::never;
  return std::nullopt;
}

}  // namespace bisect_run
