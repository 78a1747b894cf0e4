#include "port.h"

#include <cerrno>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <termios.h>

namespace bisect_run::agent {
namespace {

constexpr const char* kPortName = "bisect.agent.0";
constexpr const char* kSerialLine = "/dev/ttyS1";
constexpr int kLooks = 500, kLook_us = 10'000;

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};
using Directory = std::unique_ptr<DIR, CloseDirectory>;

/// Path of the device of the named virtio port; empty if there is none (yet).
std::string find_virtio_port() {
  const std::string ports = "/sys/class/virtio-ports/";
  const Directory directory(::opendir(ports.c_str()));
  while (const dirent* entry = directory ? ::readdir(directory.get()) : nullptr) {
    std::string name = read_file((ports + entry->d_name + "/name").c_str(), 256);
    while (!name.empty() && name.back() == '\n') name.pop_back();
    if (name == kPortName) return std::string("/dev/") + entry->d_name;
  }
  return {};
}

/// True if the driver has a device: its ports may still be on their way.
bool has_virtio_console() {
  const Directory driver(::opendir("/sys/bus/virtio/drivers/virtio_console"));
  while (const dirent* entry = driver ? ::readdir(driver.get()) : nullptr)
    if (std::string_view(entry->d_name).starts_with("virtio")) return true;
  return false;
}

/// No echo, no line editing, no hang-up: bytes as they are.
void set_raw(int fd) {
  termios settings{};
  if (::tcgetattr(fd, &settings) != 0) return;
  ::cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  settings.c_cflag &= ~static_cast<tcflag_t>(HUPCL | CRTSCTS);
  ::cfsetspeed(&settings, B115200);
  ::tcsetattr(fd, TCSANOW, &settings);
}

Expected<Port> open_port(const std::string& path) {
  Fd in = open_file(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (!in) return os_fault(path, errno);
  set_raw(in.get());
  Fd out(::fcntl(in.get(), F_DUPFD_CLOEXEC, 0));
  return Port(std::move(in), std::move(out));
}

}  // namespace

Expected<Port> open_guest_port() {
  for (int look = 0; look < kLooks; ++look) {
    const std::string path = find_virtio_port();
    if (!path.empty() && ::access(path.c_str(), F_OK) == 0) return open_port(path);
    if (!has_virtio_console()) break;
    ::usleep(kLook_us);
  }
  return open_port(kSerialLine);
}

}  // namespace bisect_run::agent
