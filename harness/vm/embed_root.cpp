#include "vm/embed_root.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "model/try.h"
#include "vm/root_processes.h"

namespace bisect_run::vm {
namespace fs = std::filesystem;
namespace {

constexpr const char* kAccount = "libvirt-qemu";

Status write_text(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) return fail(ErrorKind::infra, fmt::format("cannot write {}", file.string()));
  return {};
}

// libvirt's defaults want a daemon for logs, cgroups and file labels; none of that is here.
std::string qemu_conf(const QemuAccount& account) {
  std::string text =
      "stdio_handler = \"file\"\n"
      "security_driver = \"none\"\n"
      "dynamic_ownership = 0\n"
      "remember_owner = 0\n"
      "cgroup_controllers = [ ]\n"
      "namespaces = [ ]\n"
      "seccomp_sandbox = 1\n"
      "max_core = 0\n"
      "max_files = 256\n";
  if (::geteuid() == 0)
    text += fmt::format("user = \"+{}\"\ngroup = \"+{}\"\n", account.uid, account.gid);
  return text;
}

Status make_directory(const fs::path& path, const QemuAccount& account, mode_t mode) {
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    return fail(ErrorKind::infra,
                fmt::format("cannot make {}: {}", path.string(), std::strerror(errno)));
  if (account.changed && ::chown(path.c_str(), static_cast<uid_t>(-1), account.gid) != 0)
    return fail(ErrorKind::infra,
                fmt::format("cannot chown {}: {}", path.string(), std::strerror(errno)));
  ::chmod(path.c_str(), account.changed ? mode : 0700);
  return {};
}

Status populate(const fs::path& root, const QemuAccount& account) {
  BR_TRY(write_text(root / kOwnerFile, fmt::format("bisect-run {}\n", ::getpid())));
  BR_TRY(make_directory(root, account, 0710));
  BR_TRY(make_directory(root / "boot", account, 0710));
  BR_TRY(make_directory(root / "xdg", account, 0700));
  BR_TRY(make_directory(root / "etc", account, 0700));
  return write_text(root / "etc/qemu.conf", qemu_conf(account));
}

// A sweeper may have taken the directory for a dead controller's before it was locked.
bool locked_and_there(const UniqueFd& lock, const std::string& path) {
  struct stat held{}, named{};
  return ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0 && ::fstat(lock.get(), &held) == 0 &&
         ::stat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino;
}

void hand_over(const fs::path& directory, const QemuAccount& account) {
  std::error_code error;
  if (!account.changed || !fs::exists(directory, error)) return;
  (void)::lchown(directory.c_str(), account.uid, account.gid);
  for (fs::recursive_directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error))
    (void)::lchown(it->path().c_str(), account.uid, account.gid);
}

}  // namespace

Result<QemuAccount> QemuAccount::find() {
  if (::geteuid() != 0) return QemuAccount{::geteuid(), ::getegid(), false};
  // The driver looks both names up before it reads its configuration, so they must exist.
  const passwd* user = ::getpwnam(kAccount);
  const group* grp = ::getgrnam(kAccount);
  if (!user || !grp)
    return fail(ErrorKind::infra,
                fmt::format("as root, libvirt's QEMU driver needs a user and a group {0}; "
                            "make them with: useradd -r -U {0}",
                            kAccount));
  // libvirt examines QEMU with CAP_DAC_OVERRIDE. If /dev/kvm is closed to the account itself, it
  // takes each result for outdated and examines anew, for seconds at every call.
  struct stat kvm{};
  if (::stat("/dev/kvm", &kvm) != 0 || (kvm.st_mode & 06) == 06)
    return QemuAccount{user->pw_uid, grp->gr_gid, true};
  if ((kvm.st_mode & 060) == 060 && kvm.st_gid != 0)
    return QemuAccount{user->pw_uid, kvm.st_gid, true};
  return QemuAccount{0, 0, false};
}

Result<EmbedRoot> EmbedRoot::make(const fs::path& parent, const QemuAccount& account) {
  for (int attempt = 0; attempt < 5; ++attempt) {
    std::string pattern = (parent / (std::string(kRootPrefix) + "XXXXXX")).string();
    if (!::mkdtemp(pattern.data()))
      return fail(ErrorKind::infra, fmt::format("cannot make a directory in {}: {}",
                                                parent.string(), std::strerror(errno)));
    // The lock is on the directory itself: tmp cleaners respect that, and a sweeper needs no file.
    UniqueFd lock(::open(pattern.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!lock || !locked_and_there(lock, pattern)) continue;
    EmbedRoot root(pattern, std::move(lock));
    BR_TRY(populate(root.path(), account));
    return root;
  }
  return fail(ErrorKind::infra, fmt::format("cannot lock a directory in {}", parent.string()));
}

EmbedRoot::~EmbedRoot() {
  if (!lock_) return;
  // A VM that libvirt was late to start, or slow to end, on a busy host: nobody else knows of it.
  if (!end_qemus_of(path_)) return;  // the next controller sweeps
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path EmbedRoot::pid_file(const std::string& domain) const {
  return path_ / "run/qemu" / (domain + ".pid");
}

void EmbedRoot::seed_capabilities(const fs::path& cache, const QemuAccount& account) const {
  std::error_code error;
  if (cache.empty() || !fs::is_directory(cache, error)) return;
  const fs::path target = path_ / "cache/qemu/capabilities";
  fs::create_directories(target, error);
  fs::copy(cache, target, fs::copy_options::recursive | fs::copy_options::overwrite_existing,
           error);
  hand_over(path_ / "cache/qemu", account);
}

void EmbedRoot::keep_capabilities(const fs::path& cache) const {
  if (cache.empty()) return;
  std::error_code error;
  fs::create_directories(cache, error);
  // Written beside and renamed: another controller may be reading.
  for (fs::directory_iterator it(path_ / "cache/qemu/capabilities", error), end;
       !error && it != end; it.increment(error)) {
    const fs::path target = cache / it->path().filename();
    const fs::path beside = target.string() + fmt::format(".{}", ::getpid());
    std::error_code ignored;
    fs::copy_file(it->path(), beside, fs::copy_options::overwrite_existing, ignored);
    fs::rename(beside, target, ignored);
  }
}

}  // namespace bisect_run::vm
