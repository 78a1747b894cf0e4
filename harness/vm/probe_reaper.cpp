#include "vm/probe_reaper.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include "vm/qemu_process.h"

namespace bisect_run::vm {
namespace fs = std::filesystem;
namespace {

using namespace std::chrono_literals;

/// The probes seen so far. They are held from when they are alive on: QEMU removes its pid file as
/// it goes.
class Probes {
 public:
  explicit Probes(fs::path directory) : directory_(std::move(directory)) {}

  void look() {
    std::error_code error;
    for (fs::directory_iterator it(directory_, error), end; !error && it != end;
         it.increment(error)) {
      const std::string name = it->path().filename().string();
      if (!name.starts_with("qmp-") || alive_.contains(name)) continue;
      if (auto probe = QemuProcess::from_pid_file(it->path() / "qmp.pid"))
        alive_.emplace(name, std::move(*probe));
    }
    // libvirt does the killing; looking whether one is gone reaps it.
    std::erase_if(alive_, [](const auto& entry) {
      return entry.second.wait_gone(std::chrono::steady_clock::now());
    });
  }

 private:
  fs::path directory_;
  std::map<std::string, QemuProcess> alive_;
};

}  // namespace

ProbeReaper::ProbeReaper(fs::path embed_root)
    : thread_([directory = std::move(embed_root) / "lib/qemu"](std::stop_token stop) {
        Probes probes(directory);
        std::mutex mutex;
        std::condition_variable_any stopped;
        std::unique_lock guard(mutex);
        while (!stopped.wait_for(guard, stop, 20ms, [&] { return stop.stop_requested(); }))
          probes.look();
      }) {}

}  // namespace bisect_run::vm
