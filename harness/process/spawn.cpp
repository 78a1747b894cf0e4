#include "process/spawn.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "model/try.h"
#include "process/signals.h"

namespace bisect_run::process {
namespace {

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

class Attributes {
 public:
  Attributes() { posix_spawnattr_init(&attributes_); }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  posix_spawnattr_t* get() { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

void describe_files(FileActions& actions, const Spec& spec, int output) {
  auto* const list = actions.get();
  if (spec.dialogue_fd >= 0) {
    posix_spawn_file_actions_adddup2(list, spec.dialogue_fd, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(list, spec.dialogue_fd, STDOUT_FILENO);
  } else {
    posix_spawn_file_actions_addopen(list, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(list, output, STDOUT_FILENO);
  }
  posix_spawn_file_actions_adddup2(list, output, STDERR_FILENO);
  int first_unused = STDERR_FILENO + 1;
  if (spec.held_fd >= 0) {  // may land on the pipe's own number, which is not needed any more
    posix_spawn_file_actions_adddup2(list, spec.held_fd, first_unused);
    ++first_unused;
  }
  // Libraries may have opened descriptors without close-on-exec: nothing of ours gets through.
  posix_spawn_file_actions_addclosefrom_np(list, first_unused);
  if (!spec.directory.empty()) posix_spawn_file_actions_addchdir_np(list, spec.directory.c_str());
}

void describe_signals(Attributes& attributes) {
  auto* const list = attributes.get();
  const sigset_t mask = child_signal_mask();
  posix_spawnattr_setsigmask(list, &mask);
  sigset_t defaults;  // what SignalOwner ignores must not stay ignored over exec
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(list, &defaults);
  posix_spawnattr_setpgroup(list, 0);
  posix_spawnattr_setflags(list,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> list;
  for (const auto& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

std::string_view path_of(const std::vector<std::string>& environment) {
  for (const auto& entry : environment)
    if (entry.starts_with("PATH=")) return std::string_view(entry).substr(5);
  return "/usr/local/bin:/usr/bin:/bin";
}

std::unexpected<Error> cannot_start(const Spec& spec, std::string_view why) {
  return fail(ErrorKind::infra, fmt::format("cannot start {}: {}",
                                            spec.argv.empty() ? "nothing" : spec.argv[0], why));
}

std::string words_for(int error) {
  return std::generic_category().message(error);
}

Result<std::filesystem::path> program_of(const Spec& spec) {
  if (spec.argv.empty()) return cannot_start(spec, "no program is named");
  const auto path = path_of(spec.environment);
  auto program = find_program(spec.argv[0], path);
  if (program.empty())
    return cannot_start(spec, fmt::format("it is not in {}; install it or correct PATH", path));
  std::error_code error;
  if (!spec.directory.empty() && !std::filesystem::is_directory(spec.directory, error))
    return cannot_start(spec, fmt::format("{} is not a directory", spec.directory.string()));
  return program;
}

}  // namespace

Result<Child> spawn(const Spec& spec) {
  BR_TRY_ASSIGN(const auto program, program_of(spec));
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return cannot_start(spec, words_for(errno));
  Child child;
  child.output = UniqueFd(ends[0]);
  const UniqueFd writing(ends[1]);
  ::fcntl(child.output.get(), F_SETFL, O_NONBLOCK);

  FileActions actions;
  describe_files(actions, spec, writing.get());
  Attributes attributes;
  describe_signals(attributes);
  const auto arguments = pointers(spec.argv);
  const auto environment = pointers(spec.environment);
  const int error = posix_spawn(&child.pid, program.c_str(), actions.get(), attributes.get(),
                                arguments.data(), environment.data());
  if (error != 0) return cannot_start(spec, words_for(error));

  child.exited = UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, child.pid, 0)));
  if (!child.exited) {
    const int reason = errno;
    ::kill(-child.pid, SIGKILL);
    ::waitpid(child.pid, nullptr, 0);
    return cannot_start(spec, fmt::format("pidfd_open: {}", words_for(reason)));
  }
  return child;
}

std::filesystem::path find_program(const std::string& name, std::string_view path) {
  if (name.find('/') != std::string::npos) return name;
  while (!name.empty() && !path.empty()) {
    const auto colon = path.find(':');
    const auto directory = path.substr(0, colon);
    path.remove_prefix(colon == std::string_view::npos ? path.size() : colon + 1);
    if (directory.empty()) continue;  // the current directory is no place for programs
    auto file = std::filesystem::path(directory) / name;
    std::error_code error;
    if (std::filesystem::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0)
      return file;
  }
  return {};
}

}  // namespace bisect_run::process
