#include "vm/sweep.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <string_view>

#include "model/try.h"
#include "model/unique_fd.h"
#include "vm/embed_root.h"
#include "vm/root_processes.h"

namespace bisect_run::vm {
namespace fs = std::filesystem;
namespace {

/// The lock of a root whose controller is dead; nothing for every other directory.
std::optional<UniqueFd> lock_dead_root(const fs::path& path) {
  UniqueFd directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat found{};
  if (!directory || ::fstat(directory.get(), &found) != 0 || found.st_uid != ::geteuid())
    return std::nullopt;
  if (::flock(directory.get(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  // Without the owner file it is either empty (a controller died within microseconds) or not ours.
  std::error_code error;
  if (!fs::is_regular_file(path / kOwnerFile, error) && !fs::is_empty(path, error))
    return std::nullopt;
  return directory;
}

}  // namespace

Result<Swept> sweep_leftovers(const fs::path& parent) {
  Swept swept;
  const std::size_t name_length = std::string_view(kRootPrefix).size() + 6;
  std::error_code error;
  for (fs::directory_iterator it(parent, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(kRootPrefix) || name.size() != name_length) continue;
    const auto lock = lock_dead_root(it->path());
    if (!lock) continue;
    BR_TRY_ASSIGN(const int killed, end_qemus_of(it->path()));
    swept.processes += killed;
    std::error_code removal;
    fs::remove_all(it->path(), removal);
    if (removal)
      return fail(ErrorKind::infra, fmt::format("cannot remove {}, left by a dead run: {}",
                                                it->path().string(), removal.message()));
    ++swept.roots;
  }
  return swept;
}

}  // namespace bisect_run::vm
