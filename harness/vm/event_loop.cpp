#include "vm/event_loop.h"

#include <libvirt/libvirt.h>
#include <libvirt/virterror.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace bisect_run::vm {
namespace {

class EventLoop {
 public:
  ~EventLoop() {
    if (!thread_.joinable()) return;
    stop_ = true;
    virEventAddTimeout(0, [](int timer, void*) { virEventRemoveTimeout(timer); }, nullptr, nullptr);
    thread_.join();
  }

  Status start() {
    std::scoped_lock guard(mutex_);
    if (thread_.joinable()) return {};
    // A guest that goes away must not take the controller along.
    std::signal(SIGPIPE, SIG_IGN);
    // Information and warnings of libvirt would land in the middle of the progress display.
    ::setenv("LIBVIRT_LOG_OUTPUTS", "4:file:/dev/null", 0);
    virSetErrorFunc(nullptr, [](void*, virErrorPtr) {});
    if (virInitialize() < 0 || virEventRegisterDefaultImpl() < 0)
      return fail(ErrorKind::infra, "libvirt's event loop cannot be set up");
    thread_ = std::thread([this] { run(); });
    return {};
  }

 private:
  void run() {
    // Signals belong to the main thread.
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    while (!stop_ && virEventRunDefaultImpl() >= 0) {
    }
  }

  std::mutex mutex_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace

Status start_event_loop() {
  static EventLoop loop;
  return loop.start();
}

}  // namespace bisect_run::vm
