#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sys.h"

namespace bisect_run::agent {

/// The agent's end of the channel to the host: a virtio port, a serial line, or a pair of pipes.
class Port {
 public:
  /// Both descriptors become non-blocking.
  Port(Fd in, Fd out);

  int input() const { return in_.get(); }
  /// Reads what there is. False at end of file: the end of a pipe, but for a virtio port only that
  /// no host is connected at the moment.
  bool fill();
  /// The next whole line without its newline. A line longer than a message may be is dropped.
  std::optional<std::string> next_line();
  /// False if the host took nothing for `patience_ms`.
  bool write(std::string_view text, int patience_ms);
  /// Waits until everything written has left a serial line; a pipe has no such wait.
  void drain();

 private:
  Fd in_, out_;
  std::string received_;
  std::size_t begin_ = 0;  ///< of the first line that was not given
  bool dropping_ = false;
};

/// Inside a guest: the virtio port named `bisect.agent.0` if there is one, else the second serial
/// line, set raw. Waits a few seconds for ports of a virtio console that is still coming up.
Expected<Port> open_guest_port();

}  // namespace bisect_run::agent
