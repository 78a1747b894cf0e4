#include "kernel/make.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include <fmt/format.h>

#include "kernel/files.h"
#include "kernel/host_trouble.h"
#include "kernel/remedy.h"
#include "model/try.h"
#include "process/run.h"

namespace bisect_run::kernel {
namespace {

/// A file system with less than this cannot take one more object: whatever make said, it is full.
constexpr std::uint64_t kFull_bytes = std::uint64_t{4} << 20;
/// make passes SIGTERM on and removes what it was making; cc1 in the middle of a file needs a bit.
constexpr double kGrace_s = 10;

std::vector<std::string> environment_for(const MakeCall& call, const ObjectDir& objects) {
  std::vector<std::string> environment{
      "PATH=" + call.search_path,
      "HOME=" + objects.scratch().string(),
      "TMPDIR=" + objects.scratch().string(),
      "LC_ALL=C",
      "TZ=UTC0",
      // scripts/mkcompile_h writes these into the image. The time must be one that date(1) reads,
      // for the embedded initramfs takes its file times from it.
      "KBUILD_BUILD_USER=bisect-run",
      "KBUILD_BUILD_HOST=bisect-run",
      "KBUILD_BUILD_TIMESTAMP=Sat Jan  1 00:00:00 UTC 2000",
      "KBUILD_BUILD_VERSION=1",
      // Set, if only to nothing: scripts/setlocalversion then appends no `+` and asks no git.
      "LOCALVERSION=",
      "PYTHONDONTWRITEBYTECODE=1",  // the checkout stays clean
      "CCACHE_DIR=" + call.ccache.string(),
      // Hits must not depend on the object directory. With debug information its path would count
      // without this; it is no part of what is loaded. CCACHE_BASEDIR is left out on purpose: it
      // rewrites the paths that the compiler sees, past -fmacro-prefix-map, and so changes the
      // strings in the image; and as that option is hashed whole, it gains no hit.
      "CCACHE_NOHASHDIR=1",
  };
  // A number with `k` is in units of 1000 bytes.
  if (call.ccache_bytes > 0)
    environment.push_back(fmt::format("CCACHE_MAXSIZE={}k", call.ccache_bytes / 1000));
  return environment;
}

std::vector<std::string> arguments_for(const MakeCall& call, const ObjectDir& objects,
                                       const Compiler& compiler, const std::string& target) {
  const auto cores = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::string> words = {
      "make",
      "-C",
      call.tree.string(),
      "O=" + objects.out().string(),
      fmt::format("-j{}", call.jobs > 0 ? static_cast<unsigned>(call.jobs) : cores),
      "ARCH=x86_64",
      "CC=" + compiler.command,
      "HOSTCC=" + compiler.host_command,
  };
  words.insert(words.end(), call.variables.begin(), call.variables.end());
  words = with_flags(std::move(words), call.flags);
  words.push_back(target);
  return words;
}

/// Source and fragment can be read; what is written goes to the object directory and to ccache.
Isolation::View view_for(const MakeCall& call, const ObjectDir& objects, const Compiler& compiler) {
  Isolation::View view{{call.tree, objects.fragment().parent_path()},
                       {objects.out(), objects.scratch(), call.ccache}};
  for (const auto* more : {&call.shown, &compiler.shown})
    view.readable.insert(view.readable.end(), more->begin(), more->end());
  return view;
}

std::unexpected<Error> with_log(ErrorKind kind, const MakeCall& call, std::string message,
                                const process::Outcome& outcome) {
  return fail(kind, fmt::format("{} (log: {})", message, call.log.string()), outcome.tail);
}

/// The namespaces are read-only outside the object directory: what complains of it there was made
/// to write elsewhere, as long as the disk itself can be written.
bool wrote_elsewhere(const MakeCall& call, const ObjectDir& objects, const BuildLog& log) {
  return call.isolation && log.host_trouble() == kReadOnlyDisk &&
         ::access(objects.out().c_str(), W_OK) == 0;
}

/// bwrap ends with 1 where it cannot do its work, make with 2; a signal is told as a shell does.
std::string blame_for_isolation(const process::Outcome& outcome) {
  if (outcome.end == process::End::exited && outcome.code > 128)
    return fmt::format("make was ended by signal {} from outside", outcome.code - 128);
  const auto said = outcome.tail.rfind("bwrap: ");
  if (outcome.end != process::End::exited || outcome.code != 1 || said == std::string::npos)
    return {};
  return fmt::format("it could not be isolated ({}); --isolate-builds never builds without",
                     outcome.tail.substr(said, outcome.tail.find('\n', said) - said));
}

/// Why the machine is to blame for a failed make; empty if it is not.
std::string blame_for_machine(const MakeCall& call, const ObjectDir& objects, const BuildLog& log,
                              const process::Outcome& outcome) {
  if (!log.host_trouble().empty() && !wrote_elsewhere(call, objects, log))
    return log.host_trouble();
  if (outcome.log_error == ENOSPC || outcome.log_error == EDQUOT)
    return "the disk is full; make room, then resume";
  for (const auto& place : {objects.out(), call.ccache})
    if (const auto left = free_bytes(place); left && *left < kFull_bytes)
      return fmt::format("the disk of {} is full; make room, then resume", place.string());
  if (outcome.end == process::End::signalled)
    return fmt::format("make was ended by signal {} from outside", outcome.code);
  return call.isolation ? blame_for_isolation(outcome) : std::string();
}

Status judge(const MakeCall& call, const ObjectDir& objects, const std::string& target,
             const BuildLog& log, const process::Outcome& outcome) {
  if (outcome.end == process::End::exited && outcome.code == 0) return {};
  if (outcome.end == process::End::interrupted)
    return fail(ErrorKind::interrupted, fmt::format("interrupted in `make {}`", target));
  if (const auto blame = blame_for_machine(call, objects, log, outcome); !blame.empty())
    return with_log(ErrorKind::infra, call, fmt::format("`make {}` failed: {}", target, blame),
                    outcome);
  if (log.damaged() && !objects.from_nothing())
    return with_log(ErrorKind::infra, call,
                    fmt::format("`make {}` met a damaged file of an earlier build; all is built "
                                "anew: {}",
                                target, log.first_error()),
                    outcome);
  if (outcome.end == process::End::deadline)
    return with_log(ErrorKind::skip_build, call,
                    fmt::format("`make {}` was not ready after {:.0f} s", target, call.deadline_s),
                    outcome);
  const auto* hint = wrote_elsewhere(call, objects, log)
                         ? "; it writes outside its build directory, which isolated builds cannot"
                         : "";
  return with_log(ErrorKind::skip_build, call,
                  fmt::format("`make {}` failed: {}{}", target, log.first_error(), hint), outcome);
}

}  // namespace

Status make(const MakeCall& call, const ObjectDir& objects, const Compiler& compiler,
            const std::string& target, const std::vector<std::string>& more_environment,
            std::stop_token stop, const std::function<void(const BuildLog&)>& on_step,
            bool& orderly) {
  process::Spec spec;
  spec.argv = arguments_for(call, objects, compiler, target);
  if (call.isolation)
    spec.argv = call.isolation->around(spec.argv, view_for(call, objects, compiler));
  spec.environment = environment_for(call, objects);
  spec.environment.insert(spec.environment.end(), more_environment.begin(), more_environment.end());
  spec.deadline_s = call.deadline_s;
  spec.grace_s = kGrace_s;
  spec.log_file = call.log;
  spec.held_fd = objects.lock_fd();
  spec.marked = true;

  orderly = false;
  BuildLog log(call.tree.string());
  BR_TRY_ASSIGN(const auto outcome, process::run(spec, stop, [&](std::string_view line) {
                  const int before = log.steps();
                  log.line(line);
                  if (on_step && log.steps() != before) on_step(log);
                }));
  auto verdict = judge(call, objects, target, log, outcome);
  // A full disk or a killed compiler leaves truncated files that make takes for finished ones.
  orderly = !outcome.killed && (verdict || verdict.error().kind != ErrorKind::infra);
  return verdict;
}

}  // namespace bisect_run::kernel
