#include "child.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>

namespace bisect_run::agent {
namespace {

/// Where a child leaves its fault. Shared with it by a page that both see.
struct Report {
  bool unavailable;
  char reason[1000];
};

Report* shared_report() {
  static void* page =
      ::mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return page == MAP_FAILED ? nullptr : static_cast<Report*>(page);
}

void leave(Report& report, const Fault& fault) {
  report.unavailable = fault.unavailable;
  const std::size_t size = std::min(fault.reason.size(), sizeof report.reason - 1);
  std::memcpy(report.reason, fault.reason.data(), size);
  report.reason[size] = '\0';
}

}  // namespace

std::string wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return std::string("waitpid: ") + std::strerror(errno);
  if (WIFSIGNALED(status)) {
    std::string text = "killed by signal " + std::to_string(WTERMSIG(status));
    if (WTERMSIG(status) == SIGKILL) text += " (the guest may be out of memory)";
    return text;
  }
  const int code = WEXITSTATUS(status);
  return code == 0 ? std::string() : "exit status " + std::to_string(code);
}

Outcome in_child(const std::function<Outcome()>& body) {
  Report* report = shared_report();
  if (!report) return os_fault("mmap of a shared page", ENOMEM);
  report->reason[0] = '\0';
  const pid_t pid = ::fork();
  if (pid < 0) return os_fault("fork", errno);
  if (pid == 0) {
    const Outcome outcome = body();
    if (!outcome) leave(*report, outcome.error());
    ::_exit(outcome ? 0 : 1);
  }
  const std::string end = wait_for(pid);
  if (report->reason[0] != '\0') return std::unexpected(Fault{report->reason, report->unavailable});
  if (!end.empty()) return fault("child: " + end);
  return {};
}

Expected<NetnsHolder> NetnsHolder::make() {
  int life[2], ready[2];
  if (::pipe2(life, O_CLOEXEC) != 0) return os_fault("pipe", errno);
  Fd life_read(life[0]), life_write(life[1]);
  if (::pipe2(ready, O_CLOEXEC) != 0) return os_fault("pipe", errno);
  Fd ready_read(ready[0]), ready_write(ready[1]);

  const pid_t pid = ::fork();
  if (pid < 0) return os_fault("fork", errno);
  if (pid == 0) {
    life_write.close();
    ready_read.close();
    const int error = ::unshare(CLONE_NEWNET) == 0 ? 0 : errno;
    char byte = 0;
    if (::write(ready_write.get(), &error, sizeof error) == sizeof error && error == 0)
      while (::read(life_read.get(), &byte, 1) < 0 && errno == EINTR) {
      }
    ::_exit(0);
  }
  NetnsHolder holder(pid, std::move(life_write));
  ready_write.close();
  int error = ECHILD;
  while (::read(ready_read.get(), &error, sizeof error) < 0 && errno == EINTR) {
  }
  if (error == EINVAL) return unavailable("unshare(CLONE_NEWNET): no network namespaces");
  if (error != 0) return os_fault("unshare(CLONE_NEWNET)", error);
  return holder;
}

void NetnsHolder::release() {
  if (!line_) return;
  line_.close();
  wait_for(pid_);
}

}  // namespace bisect_run::agent
