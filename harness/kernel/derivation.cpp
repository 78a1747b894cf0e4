#include "kernel/derivation.h"

#include <fmt/format.h>

#include "kernel/stranger_file.h"

namespace bisect_run::kernel {
namespace {

constexpr std::string_view kMakeCmd = "make-cmd";
constexpr std::string_view kDefinition = "make-cmd = ";
/// How a tree before 9564a8cf422d escapes the sign, and how one after it does.
constexpr std::string_view kOldEscape = R"(\#,\\\#)";
constexpr std::string_view kNewEscape = "$(pound),$$(pound)";

/// The definition differs from tree to tree in everything but the escape.
std::string make_cmd(std::string_view kbuild_include) {
  while (!kbuild_include.empty()) {
    const auto line = kbuild_include.substr(0, kbuild_include.find('\n'));
    kbuild_include.remove_prefix(std::min(kbuild_include.size(), line.size() + 1));
    if (!line.starts_with(kDefinition)) continue;
    std::string value(line.substr(kDefinition.size()));
    const auto at = value.find(kOldEscape);
    if (at == std::string::npos) return {};
    return value.replace(at, kOldEscape.size(), kNewEscape);
  }
  return {};
}

}  // namespace

Words derive_words(const std::filesystem::path& tree) {
  Words words;
  if (const auto text = read_below(tree, "scripts/Kbuild.include"))
    if (auto value = make_cmd(*text); !value.empty()) words.emplace(kMakeCmd, std::move(value));
  return words;
}

Result<std::string> with_derived(std::string text, const Words& derived) {
  const auto braced = fmt::format("{{{}}}", kMakeCmd);
  const auto at = text.find(braced);
  if (at == std::string::npos) return text;
  const auto found = derived.find(kMakeCmd);
  if (found == derived.end())
    return fail(ErrorKind::skip_build,
                fmt::format("a remedy needs this tree's {}, but scripts/Kbuild.include does not "
                            "define it in a known form",
                            kMakeCmd));
  return text.replace(at, braced.size(), found->second);
}

}  // namespace bisect_run::kernel
