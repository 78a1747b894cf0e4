#include "port.h"

#include <cerrno>

#include <fcntl.h>
#include <poll.h>
#include <termios.h>

#include "wire/messages.h"

namespace bisect_run::agent {
namespace {

void make_nonblocking(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags >= 0) ::fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

}  // namespace

Port::Port(Fd in, Fd out) : in_(std::move(in)), out_(std::move(out)) {
  make_nonblocking(in_.get());
  make_nonblocking(out_.get());
}

bool Port::fill() {
  char part[16384];
  while (received_.size() < 2 * wire::kMaxLine) {
    const ssize_t got = ::read(in_.get(), part, sizeof part);
    if (got == 0) return false;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return true;
    received_.append(part, static_cast<std::size_t>(got));
  }
  return true;
}

std::optional<std::string> Port::next_line() {
  while (true) {
    const std::size_t end = received_.find('\n', begin_);
    if (end == std::string::npos) break;
    std::string line = received_.substr(begin_, end - begin_);
    begin_ = end + 1;
    if (!std::exchange(dropping_, false)) return line;
  }
  received_.erase(0, std::exchange(begin_, 0));
  if (received_.size() > wire::kMaxLine) {
    received_.clear();
    dropping_ = true;
  }
  return std::nullopt;
}

bool Port::write(std::string_view text, int patience_ms) {
  while (!text.empty()) {
    const ssize_t wrote = ::write(out_.get(), text.data(), text.size());
    if (wrote > 0) {
      text.remove_prefix(static_cast<std::size_t>(wrote));
      continue;
    }
    if (wrote < 0 && errno != EAGAIN && errno != EINTR) return false;
    pollfd waiting{.fd = out_.get(), .events = POLLOUT, .revents = 0};
    if (::poll(&waiting, 1, patience_ms) == 0) return false;
    if (waiting.revents & (POLLHUP | POLLERR)) ::usleep(10'000);  // no host at this moment
  }
  return true;
}

void Port::drain() {
  if (::isatty(out_.get())) ::tcdrain(out_.get());
}

}  // namespace bisect_run::agent
