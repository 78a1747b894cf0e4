#include "worker.h"

#include <cerrno>
#include <csignal>
#include <utility>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "child.h"
#include "clock.h"
#include "isolation.h"
#include "runner.h"

namespace bisect_run::agent {
namespace {

/// Shared by the talking and the measuring process.
std::atomic<std::int64_t>* shared_items() {
  static void* page = ::mmap(nullptr, sizeof(std::atomic<std::int64_t>), PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return nullptr;
  static auto* items = new (page) std::atomic<std::int64_t>(0);
  return items;
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = ::write(fd, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

class PipeTaker : public SampleTaker {
 public:
  PipeTaker(int output, int go_on) : output_(output), go_on_(go_on) {}

  void take(const std::vector<wire::SampleMessage>& samples) override {
    if (samples.empty()) return;
    std::string lines;
    for (const auto& sample : samples) lines += wire::encode(wire::GuestMessage(sample));
    lines += '\n';
    char byte;
    if (!write_all(output_, lines)) ::_exit(1);  // nobody listens any more
    while (true) {
      const ssize_t got = ::read(go_on_, &byte, 1);
      if (got > 0) return;
      if (got == 0 || errno != EINTR) ::_exit(1);
    }
  }

 private:
  int output_, go_on_;
};

/// The child inherits blocked signals and handlers meant for the talking process.
void reset_signals() {
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGPIPE}) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Out of memory, the kernel takes this process and its children first.
void offer_to_oom_killer() {
  (void)write_file("/proc/self/oom_score_adj", "1000");
}

wire::GuestMessage run(const wire::RunWorkload& request, Place place, SampleTaker& taker) {
  Outcome outcome;
  if (place == Place::isolated) outcome = settle_in_namespaces(request.workload);
  if (outcome) outcome = run_workload(request, taker, *shared_items());
  if (outcome) return wire::Done{request.id, clocksource()};
  const Fault& fault = outcome.error();
  return wire::Failed{request.id, fault.op, fault.reason, fault.unavailable};
}

[[noreturn]] void work(const wire::RunWorkload& request, Place place, int output, int go_on) {
  reset_signals();
  if (place == Place::isolated) ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  offer_to_oom_killer();
  PipeTaker taker(output, go_on);
  ::_exit(write_all(output, wire::encode(run(request, place, taker))) ? 0 : 1);
}

/// fork(2), with namespaces of its own where asked for.
pid_t fork_into(Place place) {
  if (place == Place::guest) return ::fork();
  constexpr unsigned long kNamespaces = CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWPID;
  return static_cast<pid_t>(
      ::syscall(SYS_clone, kNamespaces | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
}

}  // namespace

Expected<Worker> Worker::start(const wire::RunWorkload& request, Place place) {
  if (!shared_items()) return os_fault("mmap of a shared page", ENOMEM);
  shared_items()->store(0);
  int output[2], go_on[2];
  if (::pipe2(output, O_CLOEXEC) != 0) return os_fault("pipe", errno);
  Fd output_read(output[0]), output_write(output[1]);
  if (::pipe2(go_on, O_CLOEXEC) != 0) return os_fault("pipe", errno);
  Fd go_on_read(go_on[0]), go_on_write(go_on[1]);

  const pid_t pid = fork_into(place);
  if (pid < 0) return os_fault("starting the measuring process", errno);
  if (pid == 0) {
    output_read.close();
    go_on_write.close();
    work(request, place, output_write.get(), go_on_read.get());
  }
  Worker worker;
  worker.id_ = request.id;
  worker.pid_ = pid;
  worker.output_ = std::move(output_read);
  worker.go_on_ = std::move(go_on_write);
  return worker;
}

void Worker::acknowledge() {
  const char byte = 0;
  (void)!::write(go_on_.get(), &byte, 1);
}

std::int64_t Worker::items() const {
  return shared_items()->load(std::memory_order_relaxed);
}

std::string Worker::reap() {
  const pid_t pid = std::exchange(pid_, -1);
  return pid > 0 ? wait_for(pid) : std::string();
}

void Worker::kill() {
  if (!output_ || pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  reap();
}

}  // namespace bisect_run::agent
