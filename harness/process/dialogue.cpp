#include "process/dialogue.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "model/try.h"

namespace bisect_run::process {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kStopEvery{200};  // so often a stop is looked for
constexpr std::size_t kMostComplaints = 4096;

bool left_within(const Child& child, double seconds) {
  pollfd exited{child.exited.get(), POLLIN, 0};
  return ::poll(&exited, 1, static_cast<int>(seconds * 1000)) > 0;
}

}  // namespace

Result<Dialogue> Dialogue::start(Spec spec) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return fail(ErrorKind::infra, "a socket for talking with a child cannot be made");
  UniqueFd ours(ends[0]);
  const UniqueFd theirs(ends[1]);
  ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
  spec.dialogue_fd = theirs.get();
  BR_TRY_ASSIGN(auto child, spawn(spec));
  return Dialogue(std::move(spec), std::move(child), std::move(ours));
}

Dialogue::Dialogue(Spec spec, Child child, UniqueFd socket)
    : spec_(std::move(spec)), child_(std::move(child)), socket_(std::move(socket)) {}

Dialogue::~Dialogue() {
  if (!child_.exited) return;  // moved from
  socket_ = UniqueFd();
  if (!left_within(child_, spec_.grace_s)) {
    ::kill(-child_.pid, SIGTERM);
    left_within(child_, spec_.grace_s);
  }
  ::kill(-child_.pid, SIGKILL);
  ::waitpid(child_.pid, nullptr, 0);
}

void Dialogue::write_unsent() {
  while (!unsent_.empty()) {
    const auto sent = ::send(socket_.get(), unsent_.data(), unsent_.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    unsent_.erase(0, static_cast<std::size_t>(sent));
  }
}

void Dialogue::read_complaints() {
  std::array<char, 1024> part;
  for (ssize_t got; (got = ::read(child_.output.get(), part.data(), part.size())) > 0;)
    complaints_.append(part.data(), std::min(static_cast<std::size_t>(got),
                                             kMostComplaints - std::min(complaints_.size(),
                                                                        kMostComplaints)));
}

Dialogue::News Dialogue::wait(steady_clock::time_point deadline, std::stop_token stop) {
  News news;
  while (!stop.stop_requested()) {
    write_unsent();
    read_complaints();
    const auto left =
        std::chrono::duration_cast<milliseconds>(deadline - steady_clock::now()) + milliseconds{1};
    const auto slice = std::clamp(left, milliseconds{0}, kStopEvery);
    const short wanted = unsent_.empty() ? POLLIN : POLLIN | POLLOUT;
    pollfd socket{socket_.get(), wanted, 0};
    ::poll(&socket, 1, static_cast<int>(slice.count()));
    news.received.resize(64 * 1024);
    const auto got = ::recv(socket_.get(), news.received.data(), news.received.size(), 0);
    const bool nothing_yet = got < 0 && (errno == EAGAIN || errno == EINTR);
    news.received.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    news.closed = got <= 0 && !nothing_yet;
    if (got > 0 || news.closed || steady_clock::now() >= deadline) break;
  }
  return news;
}

}  // namespace bisect_run::process
