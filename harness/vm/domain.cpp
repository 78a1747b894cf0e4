#include "vm/domain.h"

#include <fmt/format.h>
#include <libvirt/libvirt.h>
#include <libvirt/virterror.h>

#include <utility>

#include "model/try.h"
#include "vm/deadline.h"
#include "vm/domain_impl.h"

namespace bisect_run::vm {
namespace {

using namespace std::chrono_literals;
constexpr auto kDestroyLimit = 10s;

/// Empty when the domain is gone or going, else libvirt's complaint.
std::string destroy_domain(virDomainPtr domain) {
  if (virDomainDestroy(domain) == 0) return {};
  const int code = virGetLastErrorCode();
  // A transient domain that ended by itself is unknown (42) or no longer active (55).
  if (code == VIR_ERR_NO_DOMAIN || code == VIR_ERR_OPERATION_INVALID) return {};
  return fmt::format("{} (code {})", virGetLastErrorMessage(), code);
}

}  // namespace

Domain::Impl::Impl(std::string name_, std::filesystem::path boot_directory_,
                   std::shared_ptr<Mailbox> mailbox_, std::shared_ptr<_virDomain> handle_,
                   std::optional<QemuProcess> process_, AgentChannel channel_)
    : name(std::move(name_)),
      boot_directory(std::move(boot_directory_)),
      console(boot_directory / "console"),
      mailbox(std::move(mailbox_)),
      handle(std::move(handle_)),
      process(std::move(process_)),
      channel(std::move(channel_)) {}

Domain::Impl::~Impl() {
  std::error_code ignored;
  std::filesystem::remove_all(boot_directory, ignored);
}

Domain::Domain(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Domain::~Domain() {
  (void)destroy();
}

Domain::Activity Domain::wait(Clock::time_point deadline, std::stop_token stop) {
  return impl_->mailbox->wait(deadline, std::move(stop));
}

void Domain::send(std::string_view bytes) {
  impl_->channel.send(bytes);
}

const std::string& Domain::name() const {
  return impl_->name;
}
const std::filesystem::path& Domain::console() const {
  return impl_->console;
}

double Domain::cpu_seconds() const {
  if (impl_->process) return impl_->process->cpu_seconds();
  virDomainInfo info{};
  if (virDomainGetInfo(impl_->handle.get(), &info) < 0) return 0;
  return static_cast<double>(info.cpuTime) * 1e-9;
}

bool Domain::held() const {
  if (impl_->process && impl_->process->stopped()) return true;
  int state = 0, reason = 0;
  return virDomainGetState(impl_->handle.get(), &state, &reason, 0) == 0 &&
         state == VIR_DOMAIN_PAUSED;
}

Status Domain::destroy() {
  if (!impl_->handle) return {};
  const auto handle = std::exchange(impl_->handle, nullptr);
  // libvirt asks first and looks again every 200 ms; a kernel under test has nothing to save.
  if (impl_->process) {
    impl_->process->kill();
    if (!impl_->process->wait_gone(Clock::now() + kDestroyLimit))
      return fail(ErrorKind::infra, fmt::format("QEMU of {} does not end", impl_->name));
  }
  const auto complaint = within(
      kDestroyLimit, [handle] { return destroy_domain(handle.get()); }, [](const std::string&) {});
  if (!complaint)
    return fail(ErrorKind::infra, fmt::format("libvirt did not destroy {} in 10 s", impl_->name));
  if (!complaint->empty())
    return fail(ErrorKind::infra,
                fmt::format("libvirt cannot destroy {}: {}", impl_->name, *complaint));
  impl_->mailbox->end(DomainEnd::destroyed);
  return {};
}

}  // namespace bisect_run::vm
