#include "kernel/compiler.h"

#include <fmt/format.h>

#include "kernel/isolation.h"
#include "model/try.h"
#include "process/run.h"
#include "wire/digest.h"

namespace bisect_run::kernel {
namespace {

constexpr double kAnswerIn_s = 60;

/// First line of `words… --version`.
Result<std::string> version_of(std::vector<std::string> words, const std::string& search_path) {
  process::Spec spec;
  const auto name = words.empty() ? std::string() : words[0];
  spec.argv = std::move(words);
  spec.argv.push_back("--version");
  spec.environment = {"PATH=" + search_path, "LC_ALL=C"};
  spec.deadline_s = kAnswerIn_s;
  BR_TRY_ASSIGN(const auto outcome, process::run(spec, {}));
  if (outcome.end != process::End::exited || outcome.code != 0)
    return fail(ErrorKind::infra,
                fmt::format("`{} --version` failed; is this a working tool?", name), outcome.tail);
  return outcome.tail.substr(0, outcome.tail.find('\n'));
}

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const auto start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos) break;
    const auto end = text.find_first_of(" \t", start);
    words.emplace_back(text.substr(start, end - start));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end);
  }
  return words;
}

std::string llvm_tool(const std::vector<std::string>& make_variables, std::string_view tool) {
  std::string_view llvm;
  for (const auto& variable : make_variables)
    if (variable.starts_with("LLVM=")) llvm = std::string_view(variable).substr(5);
  if (llvm.empty() || llvm == "0") return {};
  if (llvm.ends_with('/')) return fmt::format("{}{}", llvm, tool);
  return fmt::format("{}{}", tool, llvm.starts_with('-') ? llvm : "");
}

Result<Compiler> look_at(const Toolchain& toolchain, const std::string& usual_path) {
  Compiler compiler;
  compiler.name = toolchain.name;
  compiler.make_variables = toolchain.make_variables;
  compiler.search_path = toolchain.path.empty() ? usual_path : toolchain.path + ":" + usual_path;
  const auto& search_path = compiler.search_path;
  auto version = version_of(split_words(toolchain.cc), search_path);
  if (!version)
    return std::unexpected(
        in_context(version.error(), fmt::format("toolchain `{}`", toolchain.name)));
  compiler.version = std::move(*version);

  wire::Digest digest;
  digest.add(toolchain.cc).add(compiler.version);
  std::vector<std::string> tools = {"as", "ld"};
  if (const auto linker = llvm_tool(toolchain.make_variables, "ld.lld"); !linker.empty())
    tools.push_back(linker);
  for (const auto& tool : tools) {
    BR_TRY_ASSIGN(const auto line, version_of({tool}, search_path));
    digest.add(line);
  }
  for (const auto& variable : toolchain.make_variables) digest.add(variable);
  compiler.identity = digest.hex();

  tools.insert(tools.end(), {"make", "ccache"});
  tools.push_back(split_words(toolchain.cc).front());
  compiler.shown = installations_of(tools, search_path);

  const bool ccache = !process::find_program("ccache", search_path).empty();
  compiler.command = ccache ? "ccache " + toolchain.cc : toolchain.cc;
  compiler.host_command = ccache ? "ccache gcc" : "gcc";
  return compiler;
}

}  // namespace bisect_run::kernel
