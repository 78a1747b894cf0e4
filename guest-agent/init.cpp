#include "init.h"

#include <cstdlib>

#include <fcntl.h>
#include <linux/reboot.h>
#include <sys/reboot.h>
#include <time.h>

#include "hello.h"
#include "kernel_log.h"
#include "mounts.h"
#include "session.h"
#include "sys.h"

namespace bisect_run::agent {
namespace {

constexpr std::string_view kSilenceOption = "bisect_agent.silence=";

// The kernel derives these limits from the guest's memory; a measurement must not end at them.
constexpr const char* kLimits[] = {"/proc/sys/user/max_net_namespaces",
                                   "/proc/sys/user/max_mnt_namespaces"};

void print(const std::string& text) {
  const std::string line = "bisect-agent: " + text + '\n';
  (void)!::write(2, line.data(), line.size());
}

void use_console() {
  const Fd console = open_file("/dev/console", O_RDWR | O_NOCTTY);
  for (int fd = 0; console && fd < 3; ++fd) ::dup2(console.get(), fd);
}

/// A reset, not a power-off: it ends a machine without ACPI too (keyboard controller, triple
/// fault), where the domain's on_reboot is destroy.
[[noreturn]] void end_machine() {
  ::sync();
  ::reboot(LINUX_REBOOT_CMD_RESTART);
  ::reboot(LINUX_REBOOT_CMD_POWER_OFF);
  while (true) ::pause();  // PID 1 must not exit: that is a panic
}

std::string_view words(SessionEnd end) {
  switch (end) {
    case SessionEnd::power_off:
      return "the host has what it wanted";
    case SessionEnd::silence:
      return "the host is silent";
    case SessionEnd::input:
      return "the channel has ended";
    case SessionEnd::signal:
      return "told to stop by a signal";
  }
  return "over";
}

}  // namespace

int silence_s(const std::string& cmdline) {
  const std::size_t at = cmdline.rfind(kSilenceOption);
  if (at == std::string::npos) return wire::kHostSilence_s;
  return std::atoi(cmdline.c_str() + at + kSilenceOption.size());
}

void run_as_init() {
  const std::string failures = mount_everything();
  use_console();
  set_console_level();
  for (const char* limit : kLimits) (void)write_file(limit, "1000000");
  if (!failures.empty()) print("mounts: " + failures);
  auto port = open_guest_port();
  if (!port) {
    print("no channel to the host: " + port.error().reason);
    end_machine();
  }
  const SessionRules rules{.place = Place::guest,
                           .silence_s = silence_s(read_file("/proc/cmdline", 4096)),
                           .ends_with_input = false};
  const SessionEnd end = serve(*port, describe_kernel(), rules);
  port->drain();
  print("ending the machine: " + std::string(words(end)));
  end_machine();
}

}  // namespace bisect_run::agent
