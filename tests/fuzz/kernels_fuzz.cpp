// rooms: config kernel
// options: -max_len=4096 -rss_limit_mb=256 -malloc_limit_mb=16
// A kernels.yaml of a stranger. What is accepted asks for lines that fit into a .config as they
// are, whatever is laid over them.

#include "config/recipe.h"
#include "fuzz/fuzz.h"
#include "kernel/fragment.h"

namespace {

using namespace bisect_run;
using test::require;

void check_lines(const std::vector<ConfigLine>& lines) {
  for (const auto& line : lines) require(kernel::check(line).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto recipe = config::parse_recipe(text, "kernels.yaml");
  if (!recipe) {
    require(recipe.error().kind == ErrorKind::usage && !recipe.error().message.empty());
    return 0;
  }
  check_lines(recipe->config);
  check_lines(kernel::asked_lines(*recipe, {}));
  for (const auto& variant : recipe->variants)
    for (const auto& choice : variant.cases) {
      check_lines(choice.config);
      check_lines(kernel::asked_lines(*recipe, choice.config));
    }
  return 0;
}
