#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string_view>

#include "vm/domain.h"

namespace bisect_run::vm {

/// What the event thread leaves for a domain's owner. Outlives both, so late callbacks are legal.
class Mailbox {
 public:
  /// A guest that writes faster than it is read loses its channel beyond this.
  static constexpr std::size_t kMostUnread = 4 * 1024 * 1024;

  void receive(std::string_view bytes);
  void close_channel();
  /// The first end counts; a later one is an echo of it.
  void end(DomainEnd how);

  Domain::Activity wait(Domain::Clock::time_point deadline, std::stop_token stop);
  DomainEnd ended() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  Domain::Activity news_;
  bool close_told_ = false, end_told_ = false;
};

}  // namespace bisect_run::vm
