#include "hello.h"

#include <algorithm>
#include <cctype>
#include <memory>

#include <dirent.h>
#include <sys/utsname.h>

#include "clock.h"
#include "gunzip.h"
#include "kernel_log.h"
#include "notes.h"
#include "offload.h"
#include "sys.h"
#include "wire/digest.h"

namespace bisect_run::agent {
namespace {

constexpr std::size_t kMostThreadNames = 2000;  // bytes; a second witness only
constexpr std::size_t kMostOwnBytes = 64 << 20;

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

std::string without_newline(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string release() {
  utsname name{};
  return ::uname(&name) == 0 ? name.release : "";
}

std::string config_digest() {
  const std::string config = gunzip(read_file("/proc/config.gz"));
  return config.empty() ? std::string() : wire::digest_of(config);
}

/// The name in `12 (rcuop/0) S …`, if it is one of the threads that run offloaded callbacks.
std::string rcu_thread_name(const std::string& stat) {
  const std::size_t open = stat.find('('), close = stat.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  std::string name = stat.substr(open + 1, close - open - 1);
  return name.starts_with("rcuo") ? name : std::string();
}

std::string rcu_threads() {
  std::string names;
  const std::unique_ptr<DIR, CloseDirectory> proc(::opendir("/proc"));
  while (const dirent* entry = proc ? ::readdir(proc.get()) : nullptr) {
    if (!std::isdigit(static_cast<unsigned char>(entry->d_name[0]))) continue;
    const std::string stat = "/proc/" + std::string(entry->d_name) + "/stat";
    const std::string name = rcu_thread_name(read_file(stat.c_str(), 512));
    if (name.empty() || names.size() > kMostThreadNames) continue;
    names += (names.empty() ? "" : " ") + name;
  }
  return names;
}

}  // namespace

wire::Hello describe_kernel() {
  wire::Hello hello;
  hello.agent_digest = wire::digest_of(read_file("/proc/self/exe", kMostOwnBytes));
  hello.release = release();
  hello.build_id = build_id_of(read_file("/sys/kernel/notes"));
  hello.config_digest = config_digest();
  hello.cmdline = without_newline(read_file("/proc/cmdline", 4096));
  hello.cpus = static_cast<int>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  hello.clocksource = clocksource();
  hello.clock_resolution_ns = clock_step_ns();
  hello.offloaded = offloaded_cpus(kernel_log());
  hello.rcu_threads = rcu_threads();
  return hello;
}

}  // namespace bisect_run::agent
