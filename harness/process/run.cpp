#include "process/run.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "model/try.h"
#include "process/groups.h"
#include "process/output.h"
#include "process/spawn.h"
#include "process/strays.h"
#include "process/watch.h"

namespace bisect_run::process {
namespace {

using Clock = std::chrono::steady_clock;

/// How long the kernel may take to end a process that got SIGKILL.
constexpr double kKillPatience_s = 30;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

Result<UniqueFd> open_log(const std::filesystem::path& file) {
  if (file.empty()) return UniqueFd();
  UniqueFd fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!fd)
    return fail(ErrorKind::infra, fmt::format("cannot write the log {}: {}", file.string(),
                                              std::generic_category().message(errno)));
  return fd;
}

/// One child from its start to its reaping.
class Life {
 public:
  Life(const Spec& spec, Loop& loop, Child child, UniqueFd log, const Output::OnLine& on_line)
      : spec_(spec),
        loop_(loop),
        child_(std::move(child)),
        group_(std::in_place, child_.pid),
        output_(std::move(log), spec.log_limit, spec.tail_bytes, on_line) {}

  Result<Outcome> watch(const std::stop_token& stop) {
    if (spec_.deadline_s > 0) deadline_.start(spec_.deadline_s);
    hear();
    {
      const std::stop_callback on_stop(stop, [this] { wakeup_.send(); });
      while (!gone_ && !stuck_) loop_.run_once();
    }
    if (stuck_) return abandon();
    bury();
    return std::move(outcome_);
  }

 private:
  void hear() {
    if (spec_.silence_s > 0) silence_.start(spec_.silence_s);
  }

  /// Takes what is in the pipe now, at most about a pipe's capacity at a time.
  void read_output() {
    std::array<char, 65536> buffer;
    for (int round = 0; round < 16; ++round) {
      const auto got = ::read(child_.output.get(), buffer.data(), buffer.size());
      if (got > 0) {
        output_.take({buffer.data(), static_cast<std::size_t>(got)});
        hear();
      } else if (got < 0 && errno == EINTR) {
        continue;
      } else {
        if (got == 0) readable_.stop();  // all writers closed it; the child may live on
        return;
      }
    }
  }

  /// The first reason counts.
  void end_it(End why) {
    if (std::exchange(ending_, true)) return;
    outcome_.end = why;
    ::kill(-child_.pid, SIGTERM);
    ::kill(-child_.pid, SIGCONT);  // a stopped process could not act on it
    patience_.start(spec_.grace_s);
  }

  void lose_patience() {
    if (outcome_.killed) {
      stuck_ = true;
      return;
    }
    outcome_.killed = true;
    ::kill(-child_.pid, SIGKILL);
    patience_.start(kKillPatience_s);
  }

  /// The leader is a zombie still, so its number cannot have been given to another group.
  void bury() {
    ::kill(-child_.pid, SIGKILL);
    group_.reset();
    int status = 0;
    rusage usage{};
    while (::wait4(child_.pid, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    read_output();
    output_.finish();
    if (!ending_) outcome_.end = WIFSIGNALED(status) ? End::signalled : End::exited;
    outcome_.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    outcome_.tail = output_.tail();
    outcome_.log_error = output_.log_error();
    outcome_.wall_s = seconds_since(start_);
    outcome_.user_s = seconds(usage.ru_utime);
    outcome_.system_s = seconds(usage.ru_stime);
  }

  std::unexpected<Error> abandon() {
    return fail(ErrorKind::infra,
                fmt::format("process {} ({}) does not end in spite of SIGKILL; it hangs in the "
                            "host's kernel, look at the disk and at dmesg",
                            child_.pid, spec_.argv[0]),
                output_.tail());
  }

  const Spec& spec_;
  Loop& loop_;
  Child child_;
  std::optional<RegisteredGroup> group_;
  Output output_;
  Outcome outcome_;
  Clock::time_point start_ = Clock::now();
  bool ending_ = false, gone_ = false, stuck_ = false;

  Readable exited_{loop_, child_.exited.get(), [this] { gone_ = true; }};
  Readable readable_{loop_, child_.output.get(), [this] { read_output(); }};
  Timer deadline_{loop_, [this] { end_it(End::deadline); }};
  Timer silence_{loop_, [this] { end_it(End::silence); }};
  Timer patience_{loop_, [this] { lose_patience(); }};
  Wakeup wakeup_{loop_, [this] { end_it(End::interrupted); }};
};

}  // namespace

Result<Outcome> run(const Spec& asked, std::stop_token stop,
                    const std::function<void(std::string_view line)>& on_line) {
  if (stop.stop_requested()) {
    Outcome nothing_done;
    nothing_done.end = End::interrupted;
    return nothing_done;
  }
  Spec spec = asked;
  if (spec.marked) spec.environment.push_back(new_mark());
  BR_TRY_ASSIGN(auto log, open_log(spec.log_file));
  Loop loop;  // before the child is there, and outliving its handles
  if (loop.error() != nullptr)
    return fail(ErrorKind::infra, fmt::format("cannot wait for {}: {}",
                                              spec.argv.empty() ? "" : spec.argv[0], loop.error()));
  BR_TRY_ASSIGN(auto child, spawn(spec));
  auto outcome = Life(spec, loop, std::move(child), std::move(log), on_line).watch(stop);
  if (spec.marked) kill_marked(spec.environment.back());
  return outcome;
}

}  // namespace bisect_run::process
