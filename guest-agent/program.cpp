#include "program.h"

#include <cerrno>
#include <vector>

#include <fcntl.h>

#include "child.h"

namespace bisect_run::agent {
namespace {

constexpr std::size_t kMostWords = 600;  // of what a program says, in a reason
constexpr int kCannotStart = 127;

/// The streams of a child.
struct Streams {
  int in, out, err;
};

/// Starts a program by vfork(2), as shells do: posix_spawn(3) maps a stack and asks for 64 signal
/// handlers first, which would be measured. Signals are as they should be: the measuring process
/// has reset its own. The child shares our memory until it is the program, so it does nothing else.
[[gnu::noinline]] pid_t launch(char* const* argv, char* const* environment, Streams streams,
                               volatile int& error) {
  // NOLINTBEGIN(bugprone-unsafe-functions,clang-analyzer-security.insecureAPI.vfork)
  // NOLINTBEGIN(clang-analyzer-unix.Vfork): see above
  const pid_t pid = ::vfork();
  if (pid != 0) return pid;
  ::dup2(streams.in, 0);
  ::dup2(streams.out, 1);
  ::dup2(streams.err, 2);
  ::execve(argv[0], argv, environment);
  error = errno;
  ::_exit(kCannotStart);
  // NOLINTEND(clang-analyzer-unix.Vfork)
  // NOLINTEND(bugprone-unsafe-functions,clang-analyzer-security.insecureAPI.vfork)
}

std::string command_line(const std::vector<char*>& argv) {
  std::string line;
  for (const char* word : argv)
    if (word) line += (line.empty() ? "" : " ") + std::string(word);
  return line;
}

}  // namespace

std::string find_program(const std::string& name) {
  for (const char* directory :
       {"/usr/local/sbin/", "/usr/local/bin/", "/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/"})
    if (std::string path = directory + name; ::access(path.c_str(), X_OK) == 0) return path;
  return {};
}

Expected<Programs> Programs::make() {
  Fd null = open_file("/dev/null", O_RDWR);
  if (!null) return os_fault("/dev/null", errno);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return os_fault("pipe", errno);
  return Programs(std::move(null), Fd(ends[0]), Fd(ends[1]));
}

std::string Programs::take_words() {
  std::string words;
  char part[4096];
  for (ssize_t got; (got = ::read(said_.get(), part, sizeof part)) > 0;)
    words.append(part, static_cast<std::size_t>(got));
  if (words.size() > kMostWords) words.resize(kMostWords);
  while (!words.empty() && words.back() == '\n') words.pop_back();
  return words;
}

Outcome Programs::run(std::initializer_list<const char*> words) {
  std::vector<char*> argv;
  for (const char* word : words) argv.push_back(const_cast<char*>(word));
  return start(std::move(argv));
}

Outcome Programs::run(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  return start(std::move(argv));
}

Outcome Programs::start(std::vector<char*> argv) {
  argv.push_back(nullptr);
  static char* const environment[] = {
      const_cast<char*>("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
      const_cast<char*>("LC_ALL=C"), nullptr};

  volatile int error = 0;
  const pid_t pid =
      launch(argv.data(), environment, {null_.get(), null_.get(), saying_.get()}, error);
  if (pid < 0) return os_fault("vfork", errno);
  const std::string end = wait_for(pid);
  if (error != 0) return os_fault(argv[0], error);
  if (end.empty()) return {};
  const std::string said = take_words();
  return fault("`" + command_line(argv) + "`: " + end + (said.empty() ? "" : ": " + said));
}

}  // namespace bisect_run::agent
