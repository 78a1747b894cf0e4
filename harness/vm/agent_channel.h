#pragma once

#include <memory>
#include <string_view>

#include "model/error.h"
#include "vm/mailbox.h"

struct _virConnect;
struct _virDomain;

namespace bisect_run::vm {

/// Both directions of the agent's serial port, moved by the event thread.
class AgentChannel {
 public:
  /// Errors: infra.
  static Result<AgentChannel> open(_virConnect* connection, _virDomain* domain,
                                   std::shared_ptr<Mailbox> mailbox);

  AgentChannel(AgentChannel&&) noexcept = default;
  AgentChannel& operator=(AgentChannel&&) = delete;
  ~AgentChannel();

  void send(std::string_view bytes);

 private:
  class Pump;
  explicit AgentChannel(std::shared_ptr<Pump> pump);
  std::shared_ptr<Pump> pump_;
};

}  // namespace bisect_run::vm
