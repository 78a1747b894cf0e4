#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "vm/agent_channel.h"
#include "vm/domain.h"
#include "vm/mailbox.h"
#include "vm/qemu_process.h"

struct _virDomain;

namespace bisect_run::vm {

/// What a running VM consists of on this side.
class Domain::Impl {
 public:
  Impl(std::string name, std::filesystem::path boot_directory, std::shared_ptr<Mailbox> mailbox,
       std::shared_ptr<_virDomain> handle, std::optional<QemuProcess> process,
       AgentChannel channel);
  ~Impl();

  std::string name;
  std::filesystem::path boot_directory, console;
  std::shared_ptr<Mailbox> mailbox;
  std::shared_ptr<_virDomain> handle;
  std::optional<QemuProcess> process;
  AgentChannel channel;
};

}  // namespace bisect_run::vm
