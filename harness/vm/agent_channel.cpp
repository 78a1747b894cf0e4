#include "vm/agent_channel.h"

#include <fmt/format.h>
#include <libvirt/libvirt.h>
#include <libvirt/virterror.h>

#include <array>
#include <mutex>
#include <string>
#include <utility>

#include "model/try.h"

namespace bisect_run::vm {
namespace {

constexpr std::size_t kMostQueued = 4 * 1024 * 1024;
constexpr int kEnds = VIR_STREAM_EVENT_ERROR | VIR_STREAM_EVENT_HANGUP;

}  // namespace

/// Owns the stream. Held by the channel and by libvirt's callback, whichever lives longer.
class AgentChannel::Pump {
 public:
  Pump(virStreamPtr stream, std::shared_ptr<Mailbox> mailbox)
      : stream_(stream), mailbox_(std::move(mailbox)) {}
  ~Pump() { virStreamFree(stream_); }
  Pump(const Pump&) = delete;
  Pump& operator=(const Pump&) = delete;

  virStreamPtr stream() const { return stream_; }

  void queue(std::string_view bytes) {
    std::scoped_lock guard(mutex_);
    if (closed_ || outgoing_.size() + bytes.size() > kMostQueued) return;
    outgoing_ += bytes;
    // The event thread sends: this one never waits for a guest that does not read.
    virStreamEventUpdateCallback(stream_,
                                 VIR_STREAM_EVENT_READABLE | VIR_STREAM_EVENT_WRITABLE | kEnds);
  }

  void handle(int events) {
    std::scoped_lock guard(mutex_);
    if (closed_) return;
    if (events & VIR_STREAM_EVENT_READABLE) receive();
    if (!closed_ && (events & VIR_STREAM_EVENT_WRITABLE)) transmit();
    if (!closed_ && (events & kEnds)) finish();
  }

  void close() {
    std::scoped_lock guard(mutex_);
    finish();
  }

 private:
  void receive() {
    std::array<char, 16384> buffer;
    const int count = virStreamRecv(stream_, buffer.data(), buffer.size());
    if (count > 0) mailbox_->receive({buffer.data(), static_cast<std::size_t>(count)});
    // 0 is the end, -1 a port that went with its VM, -2 means nothing was there after all.
    if (count == 0 || count == -1) finish();
  }

  void transmit() {
    if (!outgoing_.empty()) {
      const int count = virStreamSend(stream_, outgoing_.data(), outgoing_.size());
      if (count == -1) return finish();
      if (count > 0) outgoing_.erase(0, static_cast<std::size_t>(count));
    }
    if (outgoing_.empty()) virStreamEventUpdateCallback(stream_, VIR_STREAM_EVENT_READABLE | kEnds);
  }

  void finish() {
    if (std::exchange(closed_, true)) return;
    virStreamEventRemoveCallback(stream_);
    virStreamAbort(stream_);
    mailbox_->close_channel();
  }

  std::mutex mutex_;
  virStreamPtr stream_;
  std::shared_ptr<Mailbox> mailbox_;
  std::string outgoing_;
  bool closed_ = false;
};

AgentChannel::AgentChannel(std::shared_ptr<Pump> pump) : pump_(std::move(pump)) {}

AgentChannel::~AgentChannel() {
  if (pump_) pump_->close();
}

void AgentChannel::send(std::string_view bytes) {
  pump_->queue(bytes);
}

Result<AgentChannel> AgentChannel::open(_virConnect* connection, _virDomain* domain,
                                        std::shared_ptr<Mailbox> mailbox) {
  const auto failed = [](const char* what) {
    return fail(ErrorKind::infra,
                fmt::format("cannot {} the agent's port: {}", what, virGetLastErrorMessage()));
  };
  virStreamPtr stream = virStreamNew(connection, VIR_STREAM_NONBLOCK);
  if (!stream) return failed("make a stream for");
  auto pump = std::make_shared<Pump>(stream, std::move(mailbox));
  // The only way to a serial port that works the same for embedded and remote drivers.
  if (virDomainOpenConsole(domain, "serial1", stream, 0) < 0) return failed("open");
  auto* held = new std::shared_ptr<Pump>(pump);
  if (virStreamEventAddCallback(
          stream, VIR_STREAM_EVENT_READABLE | kEnds,
          [](virStreamPtr, int events, void* opaque) {
            // A copy: handling may remove the callback and with it the opaque.
            const auto alive = *static_cast<std::shared_ptr<Pump>*>(opaque);
            alive->handle(events);
          },
          held, [](void* opaque) { delete static_cast<std::shared_ptr<Pump>*>(opaque); }) < 0) {
    delete held;
    return failed("watch");
  }
  return AgentChannel(std::move(pump));
}

}  // namespace bisect_run::vm
