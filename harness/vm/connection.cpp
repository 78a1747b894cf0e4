#include "vm/connection.h"

#include <fmt/format.h>
#include <libvirt/libvirt.h>
#include <libvirt/virterror.h>
#include <linux/capability.h>
#include <sys/prctl.h>

#include <map>
#include <mutex>
#include <utility>

#include "model/try.h"
#include "vm/deadline.h"
#include "vm/domain_xml.h"
#include "vm/event_loop.h"

namespace bisect_run::vm {
namespace {

using namespace std::chrono_literals;
// A misconfigured daemon takes 57 s for what takes one elsewhere; more is a hang.
constexpr auto kLimit = 90s;
constexpr int kMostNames = 1000;

using ConnectHandle = std::shared_ptr<virConnect>;
using DomainHandle = std::shared_ptr<virDomain>;

ConnectHandle own(virConnectPtr connection) {
  return {connection, [](virConnectPtr it) {
            if (it) virConnectClose(it);
          }};
}

DomainHandle own(virDomainPtr domain) {
  return {domain, [](virDomainPtr it) {
            if (it) virDomainFree(it);
          }};
}

std::string version(unsigned long number) {
  return fmt::format("{}.{}.{}", number / 1'000'000, number / 1000 % 1000, number % 1000);
}

DomainEnd end_of(int stopped_detail) {
  switch (stopped_detail) {
    case VIR_DOMAIN_EVENT_STOPPED_SHUTDOWN:
      return DomainEnd::shut_off;
    case VIR_DOMAIN_EVENT_STOPPED_CRASHED:
      return DomainEnd::crashed;
    case VIR_DOMAIN_EVENT_STOPPED_DESTROYED:
      return DomainEnd::destroyed;
    default:
      return DomainEnd::failed;
  }
}

/// libvirt's message is per thread: it must be taken where the call failed.
template <class T>
struct Called {
  std::shared_ptr<T> value;
  int code = 0;
  std::string message;
};

template <class T>
Called<T> called(std::shared_ptr<T> value) {
  if (value) return {std::move(value), 0, {}};
  return {nullptr, virGetLastErrorCode(), virGetLastErrorMessage()};
}

std::unexpected<Error> open_failure(const std::string& uri, int code, const std::string& message) {
  if (message.find("driver_qemu") != message.npos ||
      (code == VIR_ERR_NO_CONNECT && uri.find("embed") != uri.npos))
    return fail(ErrorKind::infra,
                "libvirt's QEMU driver is missing; install it with: "
                "apt-get install libvirt-daemon-driver-qemu",
                message);
  if (code == VIR_ERR_NO_CONNECT || code == VIR_ERR_INVALID_ARG)
    return fail(ErrorKind::usage,
                fmt::format("libvirt knows no connection '{}': {}", uri, message));
  return fail(ErrorKind::infra, fmt::format("libvirt cannot open {}: {}", uri, message));
}

}  // namespace

/// Names to mailboxes. Held by the connection and by libvirt's callback.
class Connection::Registry {
 public:
  std::shared_ptr<Mailbox> add(const std::string& name) {
    std::scoped_lock guard(mutex_);
    if (mailboxes_.size() > kMostNames)
      std::erase_if(mailboxes_, [](const auto& entry) { return entry.second.expired(); });
    auto mailbox = std::make_shared<Mailbox>();
    mailboxes_[name] = mailbox;
    return mailbox;
  }

  void stopped(const std::string& name, int detail) {
    std::scoped_lock guard(mutex_);
    const auto found = mailboxes_.find(name);
    if (found == mailboxes_.end()) return;
    if (const auto mailbox = found->second.lock()) mailbox->end(end_of(detail));
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<Mailbox>> mailboxes_;
};

Connection::Connection(std::shared_ptr<_virConnect> handle, std::shared_ptr<Registry> registry,
                       int callback)
    : handle_(std::move(handle)), registry_(std::move(registry)), callback_(callback) {}

Connection::Connection(Connection&&) noexcept = default;

Connection::~Connection() {
  if (handle_ && callback_ >= 0) virConnectDomainEventDeregisterAny(handle_.get(), callback_);
}

Result<Connection> Connection::open(const std::string& uri) {
  BR_TRY(start_event_loop());
  const auto opened = within(
      kLimit, [uri] { return called(own(virConnectOpen(uri.c_str()))); },
      [](const Called<virConnect>&) {});
  if (!opened) return fail(ErrorKind::infra, fmt::format("libvirt does not answer at {}", uri));
  if (!opened->value) return open_failure(uri, opened->code, opened->message);
  auto registry = std::make_shared<Registry>();
  auto* held = new std::shared_ptr<Registry>(registry);
  const int callback = virConnectDomainEventRegisterAny(
      opened->value.get(), nullptr, VIR_DOMAIN_EVENT_ID_LIFECYCLE,
      VIR_DOMAIN_EVENT_CALLBACK(
          +[](virConnectPtr, virDomainPtr domain, int event, int detail, void* opaque) -> int {
            if (event == VIR_DOMAIN_EVENT_STOPPED)
              (*static_cast<std::shared_ptr<Registry>*>(opaque))
                  ->stopped(virDomainGetName(domain), detail);
            return 0;
          }),
      held, [](void* opaque) { delete static_cast<std::shared_ptr<Registry>*>(opaque); });
  if (callback < 0) {
    delete held;
    return fail(ErrorKind::infra,
                fmt::format("libvirt reports no events: {}", virGetLastErrorMessage()));
  }
  return Connection(opened->value, std::move(registry), callback);
}

Result<HostFacts> Connection::examine() const {
  struct Capabilities {
    std::string xml, message;
  };
  const auto asked = within(
      kLimit,
      [connection = handle_] {
        const std::unique_ptr<char, void (*)(char*)> xml(
            virConnectGetDomainCapabilities(connection.get(), nullptr, "x86_64", "pc", "qemu", 0),
            [](char* text) { free(text); });
        return xml ? Capabilities{xml.get(), {}} : Capabilities{{}, virGetLastErrorMessage()};
      },
      [](const Capabilities&) {});
  if (!asked) return fail(ErrorKind::infra, "libvirt does not answer what its QEMU can do");
  HostFacts facts;
  facts.emulator = xml_element(asked->xml, "path");
  facts.machine = xml_element(asked->xml, "machine");
  if (facts.emulator.empty() || facts.machine.empty())
    return fail(ErrorKind::infra,
                "libvirt finds no QEMU for x86_64; install it with: "
                "apt-get install qemu-system-x86",
                asked->message);
  unsigned long number = 0;
  if (virConnectGetVersion(handle_.get(), &number) == 0) facts.qemu_version = version(number);
  if (virConnectGetLibVersion(handle_.get(), &number) == 0) facts.libvirt_version = version(number);
  return facts;
}

namespace {

/// What this thread executes from now on has no capability, whatever its user: libvirt takes them
/// from a QEMU that it gives to another user, and leaves root all of them.
void empty_bounding_set() {
  for (unsigned long capability = 0; capability <= CAP_LAST_CAP; ++capability)
    ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
}

}  // namespace

std::shared_ptr<Mailbox> Connection::mailbox_for(const std::string& name) {
  return registry_->add(name);
}

Result<std::shared_ptr<_virDomain>> Connection::create(const std::string& xml, bool auto_destroy,
                                                       bool powerless) const {
  const unsigned flags = auto_destroy ? VIR_DOMAIN_START_AUTODESTROY : VIR_DOMAIN_NONE;
  const auto created = within(
      kLimit,
      [connection = handle_, xml, flags, powerless] {
        if (powerless) empty_bounding_set();
        return called(own(virDomainCreateXML(connection.get(), xml.c_str(), flags)));
      },
      [](const Called<virDomain>& late) {
        if (late.value) virDomainDestroy(late.value.get());
      });
  if (!created) return fail(ErrorKind::infra, "libvirt did not start the VM in 90 s");
  if (!created->value)
    return fail(ErrorKind::infra,
                fmt::format("libvirt cannot start the VM: {}",
                            created->message.substr(0, created->message.find('\n'))),
                fmt::format("code {}: {}\n{}", created->code, created->message, xml));
  return created->value;
}

}  // namespace bisect_run::vm
