#include "vm/mailbox.h"

#include <utility>

namespace bisect_run::vm {

void Mailbox::receive(std::string_view bytes) {
  std::scoped_lock guard(mutex_);
  if (news_.channel_closed) return;
  if (news_.received.size() + bytes.size() > kMostUnread)
    news_.channel_closed = true;
  else
    news_.received += bytes;
  changed_.notify_all();
}

void Mailbox::close_channel() {
  std::scoped_lock guard(mutex_);
  news_.channel_closed = true;
  changed_.notify_all();
}

void Mailbox::end(DomainEnd how) {
  std::scoped_lock guard(mutex_);
  if (news_.end == DomainEnd::running) news_.end = how;
  changed_.notify_all();
}

Domain::Activity Mailbox::wait(Domain::Clock::time_point deadline, std::stop_token stop) {
  std::unique_lock guard(mutex_);
  changed_.wait_until(guard, stop, deadline, [this] {
    return !news_.received.empty() || (news_.channel_closed && !close_told_) ||
           (news_.end != DomainEnd::running && !end_told_);
  });
  close_told_ = news_.channel_closed;
  end_told_ = news_.end != DomainEnd::running;
  return {std::exchange(news_.received, {}), news_.channel_closed, news_.end};
}

DomainEnd Mailbox::ended() const {
  std::scoped_lock guard(mutex_);
  return news_.end;
}

}  // namespace bisect_run::vm
