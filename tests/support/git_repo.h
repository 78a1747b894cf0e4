#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/temp_dir.h"

namespace bisect_run::test {

/// Runs a shell command line and returns what it printed; throws when it fails.
inline std::string shell(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "re");
  if (!pipe) throw std::runtime_error("no shell");
  std::string output;
  char buffer[4096];
  for (std::size_t size; (size = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    output.append(buffer, size);
  const int status = pclose(pipe);
  if (status != 0) throw std::runtime_error(command + " failed:\n" + output);
  return output;
}

inline std::string shell_quoted(const std::filesystem::path& path) {
  std::string text = "'";
  for (const char c : path.string()) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// A repository with a work tree, driven by the git program, independent of the user's settings.
class GitRepo {
 public:
  explicit GitRepo(std::filesystem::path directory) : directory_(std::move(directory)) {
    std::filesystem::create_directories(directory_);
    git("init -q -b main .");
  }

  /// `git ARGUMENTS`, last newline removed.
  std::string git(const std::string& arguments) const {
    std::string output =
        shell("cd " + shell_quoted(directory_) + " && " + std::string(clean) + "git " + arguments);
    if (output.ends_with('\n')) output.pop_back();
    return output;
  }

  /// Adds everything and commits; returns the object name.
  std::string commit(const std::string& subject) const {
    git("add -A");
    git("commit -q --allow-empty -m " + shell_quoted(subject));
    return git("rev-parse HEAD");
  }

  void fast_import(const std::string& stream) const {
    write_file(directory_ / ".git" / "stream", stream);
    git("fast-import --quiet --force < .git/stream");
    std::filesystem::remove(directory_ / ".git" / "stream");
  }

  void write(const std::string& file, const std::string& text) const {
    write_file(directory_ / file, text);
  }
  const std::filesystem::path& path() const { return directory_; }

  static constexpr std::string_view clean =
      "env GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=T "
      "GIT_AUTHOR_EMAIL=t@t "
      "GIT_COMMITTER_NAME=T GIT_COMMITTER_EMAIL=t@t LC_ALL=C ";

 private:
  std::filesystem::path directory_;
};

}  // namespace bisect_run::test
