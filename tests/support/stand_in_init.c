// A PID 1 that plays a part chosen by the kernel's command line, to see how the host takes it:
//   stand_in=exit | hang | noise | reboot | flood | hello
// With `hello` it sends the text after the marker at the end of its own file, then echoes
// whatever it hears. Linked statically; the tests compile it when they need it.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

static const char marker[] = {'\n', '@', '@', 'S', 'A', 'Y', '\n', 0};

static char cmdline[8192];

static int plays(const char* part) {
  const char* found = strstr(cmdline, "stand_in=");
  return found && !strncmp(found + 9, part, strlen(part));
}

static void read_cmdline(void) {
  mkdir("/proc", 0755);
  mount("proc", "/proc", "proc", 0, "");
  mkdir("/dev", 0755);
  mount("devtmpfs", "/dev", "devtmpfs", 0, "");
  int fd = open("/proc/cmdline", O_RDONLY);
  if (fd >= 0 && read(fd, cmdline, sizeof cmdline - 1) < 0) cmdline[0] = 0;
}

static void write_all(int fd, const char* bytes, size_t size) {
  while (size > 0) {
    ssize_t done = write(fd, bytes, size);
    if (done <= 0) return;
    bytes += done;
    size -= (size_t)done;
  }
}

static int open_port(void) {
  int fd = open("/dev/ttyS1", O_RDWR | O_NOCTTY);
  struct termios raw;
  tcgetattr(fd, &raw);
  cfmakeraw(&raw);
  cfsetspeed(&raw, B115200);
  raw.c_cflag |= CLOCAL | CREAD;
  tcsetattr(fd, TCSANOW, &raw);
  return fd;
}

static void say_own_tail(int port) {
  static char file[4 * 1024 * 1024];
  int fd = open("/init", O_RDONLY);
  ssize_t size = 0, got;
  while ((got = read(fd, file + size, sizeof file - (size_t)size)) > 0) size += got;
  const size_t length = strlen(marker);
  for (ssize_t at = size - (ssize_t)length; at >= 0; --at) {
    if (memcmp(file + at, marker, length) != 0) continue;
    write_all(port, file + at + length, (size_t)(size - at) - length);
    return;
  }
}

static void echo(int port) {
  char buffer[4096];
  ssize_t got;
  while ((got = read(port, buffer, sizeof buffer)) > 0) write_all(port, buffer, (size_t)got);
}

int main(void) {
  read_cmdline();
  if (plays("exit")) return 1;
  if (plays("reboot")) reboot(RB_AUTOBOOT);
  while (plays("noise")) {
    printf("still here\n");
    fflush(stdout);
    usleep(200000);
  }
  while (plays("flood")) printf("%0128d\n", 0);
  if (plays("hello")) {
    int port = open_port();
    say_own_tail(port);
    echo(port);
  }
  for (;;) pause();
}
