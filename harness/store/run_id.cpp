#include "store/run_id.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <random>
#include <string_view>

namespace bisect_run::store {

std::string make_run_id(std::time_t now) {
  // Without vowels and what looks alike, so that a name is neither a word nor misread.
  constexpr std::string_view letters = "23456789bcdfghjkmnpqrstvwxz";
  std::random_device random;
  std::uniform_int_distribution<std::size_t> pick(0, letters.size() - 1);
  std::string tail;
  for (int i = 0; i < 4; ++i) tail += letters[pick(random)];
  return fmt::format("{:%Y%m%d-%H%M%S}-{}", fmt::gmtime(now), tail);
}

}  // namespace bisect_run::store
