#include "kernel/files.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>

#include <fmt/format.h>

#include "model/try.h"
#include "model/unique_fd.h"
#include "model/write_all.h"

namespace bisect_run::kernel {
namespace {

Status write_new(const std::filesystem::path& file, std::string_view text, bool durable) {
  const UniqueFd fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!fd) return system_failure("write", file, errno);
  if (const int error = write_all(fd.get(), text)) return system_failure("write", file, error);
  if (durable && ::fsync(fd.get()) != 0) return system_failure("write", file, errno);
  return {};
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& file) {
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return system_failure("read", file, errno);
  std::string text;
  std::error_code ignored;
  if (const auto size = std::filesystem::file_size(file, ignored); !ignored) text.reserve(size);
  std::array<char, 65536> buffer;
  for (;;) {
    const auto got = ::read(fd.get(), buffer.data(), buffer.size());
    if (got == 0) return text;
    if (got > 0)
      text.append(buffer.data(), static_cast<std::size_t>(got));
    else if (errno != EINTR)
      return system_failure("read", file, errno);
  }
}

Status write_file(const std::filesystem::path& file, std::string_view text, bool durable) {
  auto beside = file;
  beside += fmt::format(".{}.new", own_suffix());
  if (auto written = write_new(beside, text, durable); !written) {
    ::unlink(beside.c_str());
    return written;
  }
  if (::rename(beside.c_str(), file.c_str()) != 0) return system_failure("write", file, errno);
  return {};
}

std::string own_suffix() {
  static std::atomic<int> next = 1;
  return fmt::format("{}-{}", ::getpid(), next++);
}

Status make_directories(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return system_failure("make the directory", directory, error.value());
  return {};
}

Status sync_directory(const std::filesystem::path& directory) {
  const UniqueFd fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd || ::fsync(fd.get()) != 0) return system_failure("write", directory, errno);
  return {};
}

std::unexpected<Error> system_failure(std::string_view what, const std::filesystem::path& file,
                                      int error) {
  auto message =
      fmt::format("cannot {} {}: {}", what, file.string(), std::generic_category().message(error));
  if (error == ENOSPC || error == EDQUOT) message += "; make room there, then resume";
  return fail(ErrorKind::infra, std::move(message));
}

Result<std::uint64_t> free_bytes(const std::filesystem::path& place) {
  struct statvfs info{};
  if (::statvfs(place.c_str(), &info) != 0)
    return system_failure("ask for the free space of", place, errno);
  return std::uint64_t{info.f_bavail} * info.f_frsize;
}

std::string human_size(std::uint64_t bytes) {
  const auto mib = static_cast<double>(bytes) / (1 << 20);
  if (mib >= 1024) return fmt::format("{:.1f} GiB", mib / 1024);
  if (mib >= 10) return fmt::format("{:.0f} MiB", mib);
  return fmt::format("{:.1f} MiB", mib);
}

}  // namespace bisect_run::kernel
