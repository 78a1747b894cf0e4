#include "kernel/compiler_probe.h"

#include <charconv>

#include <fmt/format.h>

#include "model/try.h"
#include "process/run.h"

namespace bisect_run::kernel {
namespace {

constexpr double kAnswerIn_s = 60;

Result<std::string> ask(const Compiler& compiler, const std::vector<std::string>& words) {
  process::Spec spec;
  spec.argv = split_words(compiler.command);
  spec.argv.insert(spec.argv.end(), words.begin(), words.end());
  spec.environment = {"PATH=" + compiler.search_path, "LC_ALL=C", "CCACHE_DISABLE=1"};
  spec.deadline_s = kAnswerIn_s;
  BR_TRY_ASSIGN(const auto outcome, process::run(spec, {}));
  if (outcome.end == process::End::exited && outcome.code == 0) return outcome.tail;
  return fail(ErrorKind::infra, fmt::format("{}: {}", compiler.command,
                                            outcome.tail.substr(0, outcome.tail.find('\n'))));
}

}  // namespace

Status accepts(const Compiler& compiler, const std::vector<std::string>& flags) {
  auto words = flags;
  for (const char* word : {"-c", "-x", "c", "/dev/null", "-o", "/dev/null"}) words.push_back(word);
  BR_TRY(ask(compiler, words));
  return {};
}

Result<int> major_release(const Compiler& compiler) {
  BR_TRY_ASSIGN(const auto answer, ask(compiler, {"-dumpversion"}));
  int release = 0;
  const auto parsed = std::from_chars(answer.data(), answer.data() + answer.size(), release);
  if (parsed.ec != std::errc())
    return fail(ErrorKind::infra,
                fmt::format("`{} -dumpversion` says no number: {}", compiler.command, answer));
  return release;
}

std::vector<std::string> flags_of(const std::vector<Remedy>& remedies) {
  std::vector<std::string> flags;
  for (const auto& remedy : remedies)
    for (const auto& [name, words] : remedy.flags)
      if (name == "CC" || name == "KCFLAGS" || name == "KAFLAGS")
        flags.insert(flags.end(), words.begin(), words.end());
  return flags;
}

}  // namespace bisect_run::kernel
