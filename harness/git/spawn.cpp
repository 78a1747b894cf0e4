#include "git/spawn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

namespace bisect_run::git {
namespace {

constexpr const char* without_persons_settings[] = {
    "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_ATTR_NOSYSTEM=1"};

constexpr const char* own_settings[] = {"GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
                                        "GIT_NO_REPLACE_OBJECTS=1", "LC_ALL=C",
                                        // No protocol is called so: a partial clone is not asked
                                        // to fetch what it lacks, by a program of its choice.
                                        "GIT_ALLOW_PROTOCOL=none"};

constexpr const char* own_options[] = {"core.hooksPath=/dev/null",
                                       "core.attributesFile=/dev/null",
                                       "core.excludesFile=/dev/null",
                                       "core.fsmonitor=false",
                                       "gc.auto=0",
                                       "maintenance.auto=false"};

std::vector<std::string> environment(bool persons_settings) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable; ++variable) {
    const std::string_view text = *variable;
    const bool wanted = persons_settings && text.starts_with("GIT_CONFIG");
    if (!wanted &&
        (text.starts_with("GIT_") || text.starts_with("LC_ALL=") || text.starts_with("LANGUAGE=")))
      continue;
    variables.emplace_back(text);
  }
  variables.insert(variables.end(), std::begin(own_settings), std::end(own_settings));
  if (!persons_settings)
    variables.insert(variables.end(), std::begin(without_persons_settings),
                     std::end(without_persons_settings));
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

/// The two halves of how a child is set up, released together.
class SpawnPlan {
 public:
  SpawnPlan(const std::filesystem::path& directory, const Streams& streams,
            const ProgramOptions& options)
      : persons_settings_(options.persons_settings) {
    posix_spawn_file_actions_init(&actions_);
    if (streams.in >= 0)
      posix_spawn_file_actions_adddup2(&actions_, streams.in, STDIN_FILENO);
    else
      posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, streams.out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, streams.err, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions_, directory.c_str());
    // dup2 onto itself is how a spawn clears close-on-exec.
    if (options.kept_open >= 0)
      posix_spawn_file_actions_adddup2(&actions_, options.kept_open, options.kept_open);
    posix_spawnattr_init(&attributes_);
    sigset_t set;
    sigemptyset(&set);
    posix_spawnattr_setsigmask(&attributes_, &set);
    sigfillset(&set);
    posix_spawnattr_setsigdefault(&attributes_, &set);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  int spawn(pid_t& pid, std::vector<std::string> arguments) {
    std::vector<std::string> variables = environment(persons_settings_);
    return posix_spawnp(&pid, "git", &actions_, &attributes_, pointers(arguments).data(),
                        pointers(variables).data());
  }

 private:
  bool persons_settings_;
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace

Result<pid_t> start_git(const std::filesystem::path& directory,
                        const std::vector<std::string>& arguments, const Streams& streams,
                        const ProgramOptions& options) {
  std::vector<std::string> command{"git"};
  for (const char* option : own_options) command.insert(command.end(), {"-c", option});
  command.insert(command.end(), arguments.begin(), arguments.end());
  SpawnPlan plan(directory, streams, options);
  pid_t pid = 0;
  if (const int fault = plan.spawn(pid, std::move(command)); fault != 0)
    return fail(ErrorKind::infra,
                fmt::format("git cannot be started in {}: {} (is the package git installed?)",
                            directory.string(), std::strerror(fault)));
  return pid;
}

int wait_for_git(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace bisect_run::git
