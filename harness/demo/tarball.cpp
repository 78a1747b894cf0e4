#include "demo/tarball.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <system_error>
#include <utility>

#include "model/try.h"

namespace bisect_run::demo {
namespace {

struct ArchiveReleaser {
  void operator()(archive* handle) const { archive_read_free(handle); }
};
using ArchiveHandle = std::unique_ptr<archive, ArchiveReleaser>;

std::string below_top(std::string_view name) {
  while (name.starts_with("./")) name.remove_prefix(2);
  const auto slash = name.find('/');
  return slash == name.npos ? std::string() : std::string(name.substr(slash + 1));
}

std::unexpected<Error> damaged(const std::filesystem::path& tarball, archive* handle) {
  const char* reason = archive_error_string(handle);
  return fail(ErrorKind::infra,
              fmt::format("{} cannot be read: {}; reinstall the package with: apt-get install "
                          "--reinstall linux-source-6.1",
                          tarball.string(), reason ? reason : "damaged"));
}

/// The whole content of the current entry.
bool read_content(archive* handle, archive_entry* entry, std::string& content) {
  content.resize(static_cast<std::size_t>(std::max<la_int64_t>(0, archive_entry_size(entry))));
  std::size_t done = 0;
  while (done < content.size()) {
    const la_ssize_t size = archive_read_data(handle, content.data() + done, content.size() - done);
    if (size <= 0) return false;
    done += static_cast<std::size_t>(size);
  }
  return true;
}

}  // namespace

Status read_tarball(const std::filesystem::path& tarball,
                    const std::function<Status(const TarFile&)>& take) {
  constexpr std::size_t block_bytes = 1 << 18;
  const ArchiveHandle handle(archive_read_new());
  archive_read_support_filter_all(handle.get());
  archive_read_support_format_tar(handle.get());
  if (archive_read_open_filename(handle.get(), tarball.c_str(), block_bytes) != ARCHIVE_OK)
    return damaged(tarball, handle.get());
  std::error_code ignored;
  const auto total = static_cast<double>(std::filesystem::file_size(tarball, ignored));
  std::string content;
  while (true) {
    archive_entry* entry = nullptr;
    const int code = archive_read_next_header(handle.get(), &entry);
    if (code == ARCHIVE_EOF) return {};
    if (code < ARCHIVE_WARN) return damaged(tarball, handle.get());
    TarFile file;
    file.path = below_top(archive_entry_pathname(entry));
    file.fraction =
        std::min(1.0, static_cast<double>(archive_filter_bytes(handle.get(), -1)) / total);
    const auto type = archive_entry_filetype(entry);
    if (file.path.empty() || (type != AE_IFREG && type != AE_IFLNK)) continue;
    if (archive_entry_hardlink(entry))
      return fail(ErrorKind::infra, fmt::format("{}: {} is a hard link, which is not expected",
                                                tarball.string(), file.path));
    if (type == AE_IFLNK) {
      file.mode = 0120000;
      file.content = archive_entry_symlink(entry);
    } else {
      file.mode = (archive_entry_perm(entry) & 0100) ? 0100755 : 0100644;
      if (!read_content(handle.get(), entry, content)) return damaged(tarball, handle.get());
      file.content = content;
    }
    BR_TRY(take(file));
  }
}

}  // namespace bisect_run::demo
