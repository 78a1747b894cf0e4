#include "kernel/stranger_file.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include <fmt/format.h>

#include "kernel/files.h"
#include "model/try.h"
#include "model/unique_fd.h"

namespace bisect_run::kernel {
namespace {

std::unexpected<Error> refused(const std::filesystem::path& file, std::string_view why) {
  return fail(ErrorKind::skip_build, fmt::format("{} {}", file.string(), why));
}

/// Without waiting for whoever would write into a pipe.
Result<UniqueFd> open_below(const std::filesystem::path& top, const std::filesystem::path& name) {
  const UniqueFd directory(::open(top.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory) return system_failure("open", top, errno);
  open_how how{};
  how.flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  UniqueFd fd(
      static_cast<int>(::syscall(SYS_openat2, directory.get(), name.c_str(), &how, sizeof how)));
  if (fd) return fd;
  const int error = errno;
  switch (error) {
    case EXDEV:
      return refused(top / name, "is a link that leads out of its directory");
    case ENOENT:
    case ENOTDIR:
    case ELOOP:
    case ENXIO:
    case ENAMETOOLONG:
    case EACCES:
      return refused(top / name,
                     fmt::format("cannot be read: {}", std::generic_category().message(error)));
    default:
      return system_failure("read", top / name, error);
  }
}

}  // namespace

Result<std::string> read_below(const std::filesystem::path& top, const std::filesystem::path& name,
                               std::uint64_t most) {
  BR_TRY_ASSIGN(const auto fd, open_below(top, name));
  struct stat found{};
  if (::fstat(fd.get(), &found) != 0) return system_failure("read", top / name, errno);
  if (!S_ISREG(found.st_mode)) return refused(top / name, "is no regular file");
  const auto size = static_cast<std::uint64_t>(found.st_size);
  if (size > most) return refused(top / name, fmt::format("has {}", human_size(size)));
  std::string text(size, '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const auto got = ::read(fd.get(), text.data() + filled, text.size() - filled);
    if (got < 0 && errno != EINTR) return system_failure("read", top / name, errno);
    if (got == 0) break;
    if (got > 0) filled += static_cast<std::size_t>(got);
  }
  text.resize(filled);
  return text;
}

}  // namespace bisect_run::kernel
