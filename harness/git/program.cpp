#include "git/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "git/spawn.h"
#include "model/try.h"
#include "model/unique_fd.h"

namespace bisect_run::git {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  UniqueFd read, write;

  static Result<Pipe> make() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      return fail(ErrorKind::infra, fmt::format("no pipe for git: {}", std::strerror(errno)));
    return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
  }
};

/// Takes what is there; true when the other end is closed.
bool drain(int descriptor, std::string& text) {
  char buffer[65536];
  const ssize_t size = read(descriptor, buffer, sizeof buffer);
  if (size > 0) text.append(buffer, static_cast<std::size_t>(size));
  return size == 0 || (size < 0 && errno != EINTR && errno != EAGAIN);
}

/// Reads both streams to their ends; false when the deadline came first.
bool collect(Pipe& out, Pipe& err, ProgramOutput& output, Clock::time_point deadline) {
  pollfd watched[] = {{out.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}};
  std::string* const texts[] = {&output.out, &output.err};
  while (watched[0].fd >= 0 || watched[1].fd >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    if (poll(watched, 2, static_cast<int>(std::min<long>(left.count(), 60'000))) < 0) continue;
    for (int i = 0; i < 2; ++i)
      if (watched[i].fd >= 0 && watched[i].revents != 0 && drain(watched[i].fd, *texts[i]))
        watched[i].fd = -1;
  }
  return true;
}

}  // namespace

Result<ProgramOutput> run_git(const std::filesystem::path& directory,
                              const std::vector<std::string>& arguments,
                              const ProgramOptions& options) {
  BR_TRY_ASSIGN(Pipe out, Pipe::make());
  BR_TRY_ASSIGN(Pipe err, Pipe::make());
  BR_TRY_ASSIGN(
      const pid_t pid,
      start_git(directory, arguments, {.out = out.write.get(), .err = err.write.get()}, options));
  out.write.reset();
  err.write.reset();
  ProgramOutput output;
  const bool ended = collect(out, err, output, Clock::now() + options.deadline);
  if (!ended) kill(-pid, SIGKILL);
  output.exit_code = wait_for_git(pid);
  if (!ended)
    return fail(ErrorKind::infra,
                fmt::format("git did not end within {} s", options.deadline.count()), output.err);
  return output;
}

}  // namespace bisect_run::git
