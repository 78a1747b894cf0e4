#include "kernel/isolation.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "model/try.h"
#include "process/run.h"

namespace bisect_run::kernel {
namespace fs = std::filesystem;
namespace {

constexpr double kProof_s = 30;
constexpr const char* kTmpBytes = "2000000000";

/// Top directories that hold installed programs, and nothing that is secret.
constexpr std::array kShown = {"/usr",   "/bin",    "/sbin", "/lib", "/lib32",
                               "/lib64", "/libx32", "/opt",  "/nix", "/gnu"};

/// What programs need of /etc: which program a name stands for, where libraries lie, what a user
/// is called, and settings of tools that a build outside would read as well.
constexpr std::array kSettings = {"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf",
                                  "/etc/ld.so.conf.d", "/etc/passwd",      "/etc/group",
                                  "/etc/perl",         "/etc/ccache.conf", "/etc/ssl/openssl.cnf"};

bool is_below(const fs::path& path, const fs::path& top) {
  return path == top || path.native().starts_with(top.native() + "/");
}

bool is_shown(const fs::path& path) {
  return std::ranges::any_of(kShown, [&](const char* top) { return is_below(path, top); });
}

fs::path home() {
  const passwd* account = ::getpwuid(::geteuid());
  return account != nullptr ? account->pw_dir : "/root";
}

/// The directory above bin/, unless the person's home lies there.
fs::path installation_around(const fs::path& program) {
  const auto directory = program.parent_path();
  if (directory.filename() != "bin") return directory;
  const auto above = directory.parent_path();
  const auto named = std::getenv("HOME");
  const bool personal = is_below(home(), above) || above.filename() == ".local" ||
                        (named != nullptr && is_below(named, above));
  return personal ? directory : above;
}

void show_system(std::vector<std::string>& words) {
  std::error_code error;
  for (const fs::path top : kShown) {
    if (fs::is_symlink(top, error))
      words.insert(words.end(), {"--symlink", fs::read_symlink(top, error).string(), top.string()});
    else if (fs::is_directory(top, error))
      words.insert(words.end(), {"--ro-bind", top.string(), top.string()});
  }
  for (const char* file : kSettings) words.insert(words.end(), {"--ro-bind-try", file, file});
}

}  // namespace

Result<Isolation> Isolation::find(const std::string& search_path) {
  Isolation isolation;
  isolation.bwrap_ = process::find_program("bwrap", search_path);
  if (isolation.bwrap_.empty())
    return fail(ErrorKind::infra, "bwrap is not installed; install the package bubblewrap");
  process::Spec proof;
  proof.argv = isolation.around({"true"}, {});
  proof.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
  proof.deadline_s = kProof_s;
  BR_TRY_ASSIGN(const auto outcome, process::run(proof, {}));
  if (outcome.end == process::End::exited && outcome.code == 0) return isolation;
  return fail(ErrorKind::infra,
              fmt::format("this machine does not allow it: {}",
                          outcome.tail.substr(0, outcome.tail.find('\n'))),
              outcome.tail);
}

std::vector<std::string> Isolation::around(const std::vector<std::string>& command,
                                           const View& view) const {
  // bwrap itself must outlast a SIGTERM to the group: with it everything inside is killed.
  std::vector<std::string> words = {"/usr/bin/env", "--ignore-signal=TERM", bwrap_.string(),
                                    "--die-with-parent"};
  words.insert(words.end(), {"--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net",
                             "--unshare-cgroup-try", "--disable-userns"});
  // Root in a namespace of its own could otherwise mount anew, and write, what is shown read-only.
  words.insert(words.end(), {"--cap-drop", "ALL"});
  show_system(words);
  words.insert(words.end(),
               {"--proc", "/proc", "--dev", "/dev", "--size", kTmpBytes, "--tmpfs", "/tmp"});
  for (const auto& path : view.readable)
    words.insert(words.end(), {"--ro-bind", path.string(), path.string()});
  for (const auto& path : view.writable)
    words.insert(words.end(), {"--bind", path.string(), path.string()});
  // Last, since mount points had to be made in it; PWD is left as it is outside: not set.
  words.insert(words.end(), {"--remount-ro", "/", "--chdir", "/", "--", "/usr/bin/env",
                             "--default-signal=TERM", "--unset=PWD"});
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

std::vector<fs::path> installations_of(const std::vector<std::string>& programs,
                                       const std::string& search_path) {
  std::vector<fs::path> shown;
  std::error_code error;
  for (const auto& name : programs) {
    const auto program = process::find_program(name, search_path);
    if (program.empty() || !program.is_absolute()) continue;
    for (const auto& file : {program, fs::canonical(program, error)}) {
      if (file.empty() || is_shown(file)) continue;
      const auto place = installation_around(file);
      if (std::ranges::find(shown, place) == shown.end()) shown.push_back(place);
    }
  }
  return shown;
}

}  // namespace bisect_run::kernel
