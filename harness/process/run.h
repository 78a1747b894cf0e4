#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"

namespace bisect_run::process {

/// What to run and how long to bear it. A time of 0 means no limit.
struct Spec {
  std::vector<std::string> argv;    ///< a name without `/` is looked up in `environment`'s PATH
  std::filesystem::path directory;  ///< empty: ours
  std::vector<std::string> environment;  ///< whole, NAME=value; nothing is inherited
  double deadline_s = 0;                 ///< for the whole life
  double silence_s = 0;                  ///< since the start or the last byte of output
  double grace_s = 5;                    ///< between SIGTERM and SIGKILL
  std::filesystem::path log_file;        ///< both outputs, appended as they come; empty: none
  std::size_t log_limit = std::size_t{64} << 20;   ///< bytes of this run; more is dropped
  std::size_t tail_bytes = std::size_t{16} << 10;  ///< kept in memory for Outcome::tail
  /// A descriptor that the child and all its descendants hold until they end (as their number 3);
  /// -1: none. A lock passed on like this outlives us if we are killed.
  int held_fd = -1;
  /// A socket that becomes the child's stdin and stdout; its stderr alone is then the output.
  /// -1: an empty stdin, and both outputs together.
  int dialogue_fd = -1;
  /// Descendants carry a mark (strays.h) by which also those that left the process group are found
  /// and killed when the first process is gone.
  bool marked = false;
};

enum class End {
  exited,       ///< by itself; code is its exit status
  signalled,    ///< by a signal that was not ours; code is its number
  deadline,     ///< ended by us: it took too long
  silence,      ///< ended by us: it said nothing for too long
  interrupted,  ///< ended by us: a stop was requested
};

struct Outcome {
  End end = End::exited;
  int code = 0;         ///< exit status or signal number, for every end
  bool killed = false;  ///< it did not leave within the grace and got SIGKILL
  int log_error = 0;    ///< errno of the first failed write to the log; the run goes on without it
  std::string tail;     ///< last bytes of both outputs
  double wall_s = 0;
  double user_s = 0;  ///< of the child and of the descendants it waited for
  double system_s = 0;
};

/// Runs a program to its end, in a process group of its own, with an empty stdin and without a
/// shell. When its first process is gone, whatever is left of the group is killed.
///
/// `on_line` gets every line of output, without its end and cut at 4 KiB; it must not throw.
/// Returns an Error (infra) only if the program could not be started, or cannot be killed.
Result<Outcome> run(const Spec& spec, std::stop_token stop,
                    const std::function<void(std::string_view line)>& on_line = {});

/// The file that `name` stands for: itself if it holds a `/`, else the first executable of that
/// name in `path` (as in PATH); empty if there is none.
std::filesystem::path find_program(const std::string& name, std::string_view path);

}  // namespace bisect_run::process
