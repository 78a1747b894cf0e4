#include "kernel_log.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/klog.h>

#include "sys.h"

namespace bisect_run::agent {
namespace {

constexpr int kReadAll = 3, kConsoleLevel = 8, kBufferSize = 10;  // syslog(2), section "type"
constexpr int kWarningsAndWorse = 5;                              // levels below 5 are printed
constexpr std::size_t kMostBytes = 4 << 20;

std::string from_kmsg() {
  std::string log;
  const Fd kmsg = open_file("/dev/kmsg", O_RDONLY | O_NONBLOCK);
  char record[8192];
  while (kmsg && log.size() < kMostBytes) {
    const ssize_t got = ::read(kmsg.get(), record, sizeof record);  // one record a call
    if (got < 0 && (errno == EINTR || errno == EPIPE)) continue;    // EPIPE: overtaken, go on
    if (got <= 0) break;
    log.append(record, static_cast<std::size_t>(got));
  }
  return log;
}

std::string from_syslog() {
  const int size = ::klogctl(kBufferSize, nullptr, 0);
  std::string log(size > 0 ? static_cast<std::size_t>(size) : 1 << 18, '\0');
  const int got = ::klogctl(kReadAll, log.data(), static_cast<int>(log.size()));
  log.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return log;
}

}  // namespace

std::string kernel_log() {
  std::string log = from_kmsg();
  return log.empty() ? from_syslog() : log;
}

void set_console_level() {
  ::klogctl(kConsoleLevel, nullptr, kWarningsAndWorse);
}

}  // namespace bisect_run::agent
