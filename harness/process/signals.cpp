#include "process/signals.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <utility>

#include "process/groups.h"

namespace bisect_run::process {
namespace {

/// timeout(1) signals a process and then its whole group: one intention, two signals.
constexpr auto kOneIntention = std::chrono::milliseconds(50);

struct SavedMask {
  std::mutex mutex;
  std::optional<sigset_t> mask;
};

SavedMask& saved() {
  static auto* const the = new SavedMask;
  return *the;
}

bool ignored(int signal) {
  struct sigaction action{};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t owned_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (!ignored(signal)) sigaddset(&set, signal);
  return set;
}

}  // namespace

SignalOwner::SignalOwner(std::stop_source stop) : stop_(std::move(stop)) {
  ::signal(SIGPIPE, SIG_IGN);
  const sigset_t owned = owned_signals();
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &owned, &before);
  {
    const std::lock_guard lock(saved().mutex);
    saved().mask = before;
  }
  signals_ = UniqueFd(::signalfd(-1, &owned, SFD_CLOEXEC | SFD_NONBLOCK));
  leave_ = UniqueFd(::eventfd(0, EFD_CLOEXEC));
  thread_ = std::jthread([this] { wait_for_signals(); });
}

SignalOwner::~SignalOwner() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(leave_.get(), &one, sizeof one);
  thread_.join();
  const std::lock_guard lock(saved().mutex);
  if (saved().mask) pthread_sigmask(SIG_SETMASK, &*saved().mask, nullptr);
  saved().mask.reset();
}

void SignalOwner::wait_for_signals() {
  using Clock = std::chrono::steady_clock;
  pollfd wanted[] = {{signals_.get(), POLLIN, 0}, {leave_.get(), POLLIN, 0}};
  std::uint32_t sender = 0;
  Clock::time_point came_at;
  for (;;) {
    if (::poll(wanted, 2, -1) < 0) continue;  // EINTR: nothing else can go wrong here
    signalfd_siginfo info;
    while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
      const int number = static_cast<int>(info.ssi_signo);
      if (number == received_.load() && info.ssi_pid == sender &&
          Clock::now() - came_at < kOneIntention)
        continue;
      if (received_.load() != 0) {
        kill_all_groups();
        ::_exit(128 + number);
      }
      received_ = number;
      sender = info.ssi_pid;
      came_at = Clock::now();
      stop_.request_stop();
    }
    if (wanted[1].revents != 0) return;
  }
}

sigset_t child_signal_mask() {
  const std::lock_guard lock(saved().mutex);
  if (saved().mask) return *saved().mask;
  sigset_t own;
  pthread_sigmask(SIG_SETMASK, nullptr, &own);
  return own;
}

}  // namespace bisect_run::process
