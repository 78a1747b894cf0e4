#include "sys.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/syscall.h>

namespace bisect_run::agent {
namespace {

bool means_unavailable(int error) {
  return error == ENOSYS || error == EOPNOTSUPP || error == EPROTONOSUPPORT ||
         error == EAFNOSUPPORT || error == ESOCKTNOSUPPORT;
}

}  // namespace

std::unexpected<Fault> os_fault(std::string_view what, int error) {
  std::string reason = std::string(what) + ": " + std::strerror(error);
  if (error == ENOMEM) reason += " (the guest is out of memory)";
  return std::unexpected(Fault{std::move(reason), means_unavailable(error)});
}

std::unexpected<Fault> fault(std::string reason) {
  return std::unexpected(Fault{std::move(reason), false});
}

std::unexpected<Fault> unavailable(std::string reason) {
  return std::unexpected(Fault{std::move(reason), true});
}

Fd open_file(const char* path, int flags, unsigned mode) {
  int fd;
  do fd = ::open(path, flags | O_CLOEXEC, mode);
  while (fd < 0 && errno == EINTR);
  return Fd(fd);
}

std::string read_file(const char* path, std::size_t most) {
  std::string text;
  const Fd file = open_file(path, O_RDONLY);
  if (!file) return text;
  char part[65536];
  while (text.size() < most) {
    const ssize_t got = ::read(file.get(), part, std::min(sizeof part, most - text.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(part, static_cast<std::size_t>(got));
  }
  return text;
}

Outcome write_file(const char* path, std::string_view text) {
  const Fd file = open_file(path, O_WRONLY);
  if (!file) return os_fault(path, errno);
  if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    return os_fault(path, errno);
  return {};
}

int sys_setns(int fd, int kind) {
  return static_cast<int>(::syscall(SYS_setns, fd, kind));
}

}  // namespace bisect_run::agent
