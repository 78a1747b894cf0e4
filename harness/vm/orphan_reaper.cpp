#include "vm/orphan_reaper.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <string>

#include "vm/processes.h"

namespace bisect_run::vm {
namespace {

using namespace std::chrono_literals;

/// proc(5): "PID (NAME) STATE ...".
bool is_dead_qemu(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  return line.find("(qemu-system") != line.npos && line.find(") Z ") != line.npos;
}

// Nobody else in this process starts or awaits a QEMU, so that none is stolen; those of others are
// no children of ours, and waiting for them fails.
void reap_dead_qemus() {
  for (const pid_t pid : all_processes())
    if (is_dead_qemu(pid)) ::waitpid(pid, nullptr, WNOHANG);
}

}  // namespace

OrphanReaper::OrphanReaper()
    : thread_([](std::stop_token stop) {
        std::mutex mutex;
        std::condition_variable_any stopped;
        std::unique_lock guard(mutex);
        while (!stopped.wait_for(guard, stop, 50ms, [&] { return stop.stop_requested(); }))
          reap_dead_qemus();
        reap_dead_qemus();
      }) {}

}  // namespace bisect_run::vm
