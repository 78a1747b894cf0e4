#include "session.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <optional>

#include <poll.h>
#include <sys/wait.h>

#include "clock.h"

namespace bisect_run::agent {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kHeartbeat_ns = kSecond_ns * 3 / 2;
constexpr std::int64_t kHelloAgain_ns = 5 * kSecond_ns;  // only where the guest's time is real time
constexpr int kPatience_ms = 60'000;                     // with a host that does not read
constexpr long kNoHostNap_ns = 20'000'000;

volatile std::sig_atomic_t stop_signal = 0;

void on_signal(int number) {
  if (number != SIGCHLD) stop_signal = number;
}

/// Blocks the signals of interest outside of ppoll, whose mask lets them in.
sigset_t catch_signals() {
  struct sigaction action{};
  action.sa_handler = on_signal;
  sigset_t blocked, before;
  ::sigemptyset(&blocked);
  for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) {
    ::sigaction(number, &action, nullptr);
    ::sigaddset(&blocked, number);
  }
  ::signal(SIGPIPE, SIG_IGN);
  ::sigprocmask(SIG_BLOCK, &blocked, &before);
  return before;
}

class Session {
 public:
  Session(Port& port, const wire::Hello& hello, const SessionRules& rules)
      : port_(port), hello_(hello), rules_(rules), open_mask_(catch_signals()) {}

  SessionEnd run() {
    heard_at_ = monotonic_ns();
    say(hello_);
    hello_at_ = monotonic_ns();
    while (!end_) {
      wait();
      if (stop_signal) end_ = SessionEnd::signal;
      reap_orphans();
      keep_time();
    }
    return *end_;
  }

 private:
  void wait() {
    pollfd fds[2] = {{.fd = port_.input(), .events = POLLIN, .revents = 0},
                     {.fd = worker_ ? worker_->output() : -1, .events = POLLIN, .revents = 0}};
    const timespec tick{0, kSecond_ns / 2};
    if (::ppoll(fds, 2, &tick, &open_mask_) <= 0) return;
    if (fds[1].revents) read_worker();
    if (fds[0].revents & POLLIN)
      read_host();
    else if (fds[0].revents & (POLLHUP | POLLERR))
      host_away();
  }

  void host_away() {
    if (rules_.ends_with_input) end_ = SessionEnd::input;
    const timespec nap{0, kNoHostNap_ns};
    ::nanosleep(&nap, nullptr);
  }

  void read_host() {
    if (!port_.fill()) return host_away();
    heard_at_ = monotonic_ns();
    heard_ = true;
    while (auto line = port_.next_line()) {
      auto message = wire::decode_host(*line);
      if (message)
        std::visit([this](const auto& m) { obey(m); }, *message);
      else
        say(wire::Failed{0, "", "message from the host: " + message.error(), false});
    }
  }

  void obey(const wire::Ping&) {}
  void obey(const wire::PowerOff&) { end_ = SessionEnd::power_off; }
  void obey(const wire::RunWorkload& request) {
    if (worker_) return say(wire::Failed{request.id, "", "a workload is running already", false});
    auto worker = Worker::start(request, rules_.place);
    if (!worker) return say(wire::Failed{request.id, "", worker.error().reason, false});
    worker_ = std::move(*worker);
    worker_text_.clear();
    beat_at_ = monotonic_ns();
  }

  /// Forwards what an empty line closes, whole; the last message waits for the worker's end, so
  /// that the host's next request never finds it still there.
  void read_worker() {
    char part[65536];
    const ssize_t got = ::read(worker_->output(), part, sizeof part);
    if (got < 0) return;
    if (got == 0) return worker_ended();
    worker_text_.append(part, static_cast<std::size_t>(got));
    for (std::size_t end; (end = worker_text_.find("\n\n")) != std::string::npos;) {
      write(std::string_view(worker_text_).substr(0, end + 1));
      port_.drain();
      worker_text_.erase(0, end + 2);
      worker_->acknowledge();
    }
  }

  void worker_ended() {
    const std::int64_t id = worker_->id();
    const std::string how = worker_->reap();
    worker_.reset();
    if (::getpid() == 1) ::kill(-1, SIGKILL);  // what it may have left: all of the guest is ours
    if (how.empty())
      write(worker_text_);
    else
      say(wire::Failed{id, "", "the measuring process: " + how, false});
  }

  /// Every child but the worker is an orphan that fell to us.
  void reap_orphans() {
    while (true) {
      siginfo_t info{};
      if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return;
      if (worker_ && info.si_pid == worker_->pid()) return;  // its output ends first
      ::waitpid(info.si_pid, nullptr, WNOHANG);
    }
  }

  void keep_time() {
    const std::int64_t now = monotonic_ns();
    if (worker_ && now - beat_at_ >= kHeartbeat_ns) {
      beat_at_ = now;
      say(wire::Heartbeat{worker_->id(), worker_->items()});
    }
    if (!heard_ && rules_.silence_s > 0 && now - hello_at_ >= kHelloAgain_ns) {
      hello_at_ = now;
      say(hello_);
    }
    if (rules_.silence_s > 0 && now - heard_at_ >= rules_.silence_s * kSecond_ns)
      end_ = SessionEnd::silence;
  }

  void say(const wire::GuestMessage& message) { write(wire::encode(message)); }
  void write(std::string_view text) {
    if (!port_.write(text, kPatience_ms)) end_ = SessionEnd::silence;
  }

  Port& port_;
  const wire::Hello& hello_;
  const SessionRules& rules_;
  sigset_t open_mask_;
  std::optional<Worker> worker_;
  std::string worker_text_;
  std::optional<SessionEnd> end_;
  bool heard_ = false;
  std::int64_t heard_at_ = 0, hello_at_ = 0, beat_at_ = 0;
};

}  // namespace

int stopped_by() {
  return stop_signal;
}

SessionEnd serve(Port& port, const wire::Hello& hello, const SessionRules& rules) {
  return Session(port, hello, rules).run();
}

}  // namespace bisect_run::agent
