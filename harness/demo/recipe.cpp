#include "demo/recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

#include "model/try.h"
#include "wire/digest.h"

namespace bisect_run::demo {
namespace {

using Kind = Step::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 6> words{{{"root", Kind::root},
                                                                  {"pick", Kind::pick},
                                                                  {"branch", Kind::branch},
                                                                  {"switch", Kind::switch_to},
                                                                  {"merge", Kind::merge},
                                                                  {"mark", Kind::mark}}};

std::optional<std::string> text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// No value: not a line of a recipe.
std::optional<Step> step_of(const std::string& line, Effect effect) {
  std::istringstream rest(line);
  std::string word;
  rest >> word;
  const auto known = std::ranges::find(words, word, &decltype(words)::value_type::first);
  if (known == words.end()) return std::nullopt;
  Step step{known->second, {}, {}};
  if (step.kind != Kind::root) rest >> step.name;
  std::getline(rest >> std::ws, step.subject);
  if (step.kind == Kind::pick && step.subject.starts_with("| ")) {
    if (effect == Effect::small) step.name = step.subject.substr(2);
    step.subject.clear();
  }
  const bool has_subject = step.kind == Kind::root || step.kind == Kind::merge;
  if (step.subject.empty() == has_subject || (step.kind != Kind::root && step.name.empty()))
    return std::nullopt;
  return step;
}

}  // namespace

Result<Recipe> load_recipe(const std::filesystem::path& directory, Effect effect) {
  const std::filesystem::path file = directory / "recipe.txt";
  const auto text = text_of(file);
  if (!text)
    return fail(ErrorKind::usage, fmt::format("{} cannot be read; the demo needs a source tree of "
                                              "bisect-run",
                                              file.string()));
  Recipe recipe;
  std::istringstream lines(*text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const auto step = step_of(line, effect);
    const bool is_root = step && step->kind == Kind::root;
    if (!step || is_root != recipe.steps.empty())
      return fail(ErrorKind::usage,
                  fmt::format("{}:{}: '{}' is not understood here", file.string(), number, line));
    recipe.steps.push_back(*step);
    if (step->kind != Kind::pick) continue;
    const std::filesystem::path patch = directory / "patches" / (step->name + ".patch");
    auto content = text_of(patch);
    if (!content)
      return fail(ErrorKind::usage,
                  fmt::format("{}:{}: there is no {}", file.string(), number, patch.string()));
    recipe.patches.push_back({step->name + ".patch", std::move(*content)});
  }
  if (recipe.steps.empty())
    return fail(ErrorKind::usage, fmt::format("{} is empty", file.string()));
  return recipe;
}

std::string Recipe::digest() const {
  wire::Digest digest;
  for (const Step& step : steps)
    digest.add(static_cast<std::int64_t>(step.kind)).add(step.name).add(step.subject);
  for (const Patch& patch : patches) digest.add(patch.text);
  return digest.hex();
}

std::string message_of(const Patch& patch) {
  const auto end = std::min(patch.text.find("\n--- a/"), patch.text.find("\n--- /dev/null"));
  std::string message = patch.text.substr(0, end);
  message.erase(message.find_last_not_of('\n') + 1);
  return message + '\n';
}

}  // namespace bisect_run::demo
