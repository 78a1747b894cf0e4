#include "process/strays.h"

#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "model/unique_fd.h"

namespace bisect_run::process {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kName = "BISECT_RUN_CHILD=";
constexpr int kDeathPatience_ms = 10'000;
constexpr int kMostRounds = 20;  // one that forks faster than it is killed would go on for ever

std::string read_all(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// When a process began, in ticks since the host did (proc(5), field 22); empty: there is none.
/// Together with its number it is unique.
std::string start_of(pid_t pid) {
  const auto stat = read_all(fmt::format("/proc/{}/stat", pid));
  const auto name_end = stat.rfind(") ");
  if (name_end == std::string::npos || stat[name_end + 2] == 'Z') return {};
  std::size_t at = name_end + 2;
  for (int field = 3; field < 22 && at != std::string::npos; ++field) at = stat.find(' ', at + 1);
  if (at == std::string::npos) return {};
  return stat.substr(at + 1, stat.find(' ', at + 1) - at - 1);
}

std::string owner_mark(pid_t pid) {
  return fmt::format("{}{}.{}.", kName, pid, start_of(pid));
}

/// The whole variable in an environment block; empty without one.
std::string mark_in(const std::string& environment) {
  std::size_t at = 0;
  while (at < environment.size()) {
    const auto end = environment.find('\0', at);
    const auto entry = environment.substr(at, end - at);
    if (entry.starts_with(kName)) return entry;
    if (end == std::string::npos) break;
    at = end + 1;
  }
  return {};
}

std::vector<pid_t> all_processes() {
  std::vector<pid_t> pids;
  std::error_code error;
  for (fs::directory_iterator it("/proc", error), end; !error && it != end; it.increment(error)) {
    const auto name = it->path().filename().string();
    pid_t pid = 0;
    const auto [rest, fault] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (fault == std::errc{} && rest == name.data() + name.size()) pids.push_back(pid);
  }
  return pids;
}

bool is_ours(pid_t pid) {
  struct stat found{};
  return ::stat(fmt::format("/proc/{}", pid).c_str(), &found) == 0 && found.st_uid == ::geteuid();
}

/// Kills one process if `doomed` says so of its mark. First the handle, then the look: the number
/// cannot change hands in between.
bool kill_if(pid_t pid, const std::function<bool(const std::string&)>& doomed) {
  const UniqueFd handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!handle || !is_ours(pid)) return false;
  const auto mark = mark_in(read_all(fmt::format("/proc/{}/environ", pid)));
  if (mark.empty() || !doomed(mark)) return false;
  ::syscall(SYS_pidfd_send_signal, handle.get(), SIGKILL, nullptr, 0);
  pollfd gone{handle.get(), POLLIN, 0};
  ::poll(&gone, 1, kDeathPatience_ms);
  // An orphan may have become our child; another's is reaped by its own parent.
  ::waitpid(pid, nullptr, WNOHANG);
  return true;
}

int kill_all(const std::function<bool(const std::string&)>& doomed) {
  int killed = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    int found = 0;
    for (const pid_t pid : all_processes())
      if (pid != ::getpid() && kill_if(pid, doomed)) ++found;
    killed += found;
    if (found == 0) break;
  }
  return killed;
}

/// Whether the process that made the mark lives: PID.START.N.
bool owner_lives(const std::string& mark) {
  pid_t pid = 0;
  const char* const end = mark.data() + mark.size();
  const auto [rest, error] = std::from_chars(mark.data() + kName.size(), end, pid);
  if (error != std::errc{} || rest == end || *rest != '.') return true;  // none of our making
  const std::string_view start(rest + 1, static_cast<std::size_t>(end - rest - 1));
  return start_of(pid) == start.substr(0, start.find('.'));
}

}  // namespace

std::string new_mark() {
  static std::atomic<int> next = 1;
  return owner_mark(::getpid()) + std::to_string(next++);
}

int kill_marked(std::string_view mark) {
  return kill_all([mark](const std::string& found) { return found == mark; });
}

int kill_strays_of_the_dead() {
  return kill_all([](const std::string& found) { return !owner_lives(found); });
}

}  // namespace bisect_run::process
