#pragma once

#include <memory>
#include <string>

#include "model/error.h"
#include "vm/host.h"
#include "vm/mailbox.h"

struct _virConnect;
struct _virDomain;

namespace bisect_run::vm {

/// An open libvirt connection that hears how domains end.
class Connection {
 public:
  /// Errors: infra, with the package that is missing where that is the cause; usage for a URI
  /// nobody serves.
  static Result<Connection> open(const std::string& uri);

  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) = delete;
  ~Connection();

  /// Asks about the emulator, which makes libvirt examine it once. Errors: infra.
  Result<HostFacts> examine() const;

  /// The mailbox that hears of the domain called `name`, from now on until it is dropped.
  std::shared_ptr<Mailbox> mailbox_for(const std::string& name);

  /// `powerless`: a QEMU that this process starts gets no capability even where it stays root.
  /// Errors: infra.
  Result<std::shared_ptr<_virDomain>> create(const std::string& xml, bool auto_destroy,
                                             bool powerless) const;

  _virConnect* get() const { return handle_.get(); }

 private:
  class Registry;
  Connection(std::shared_ptr<_virConnect> handle, std::shared_ptr<Registry> registry, int callback);

  std::shared_ptr<_virConnect> handle_;
  std::shared_ptr<Registry> registry_;
  int callback_ = -1;
};

}  // namespace bisect_run::vm
