#include "lab/lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "lab/accelerator_memory.h"
#include "lab/command_line.h"
#include "lab/host_watch.h"
#include "lab/host_tsc.h"
#include "lab/initramfs.h"
#include "lab/life.h"
#include "model/try.h"
#include "wire/digest.h"

namespace bisect_run::lab {
namespace fs = std::filesystem;
namespace {

// KVM that works says hello in two seconds; one that only pretends to never does.
constexpr double kKvmProof_s = 20;
// Under the virtual clock a guest that works says hello in 5 to 15 s on a busy host; one that hangs
// in the start of its CPUs never does.
constexpr double kVirtualClockProof_s = 60;

double seconds_since(Life::Clock::time_point start) {
  return std::chrono::duration<double>(Life::Clock::now() - start).count();
}

Result<std::string> digest_of_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  if (bytes.empty())
    return fail(ErrorKind::infra,
                fmt::format("the agent {} is missing; build it first", file.string()));
  return wire::digest_of(bytes);
}

}  // namespace

class Lab::Impl {
 public:
  Impl(Settings settings_, vm::Host host_, std::string agent_digest_)
      : settings(std::move(settings_)),
        host(std::move(host_)),
        agent_digest(std::move(agent_digest_)) {}

  void notice(const std::string& text) const {
    if (settings.notice) settings.notice(text);
  }

  Result<vm::DomainSpec> spec_for(const Image& image, const Machine& machine,
                                  const std::string& mode, const std::string& cmdline) {
    BR_TRY_ASSIGN(auto archive, initramfs(settings.work, settings.agent, mode));
    vm::DomainSpec spec;
    spec.name = host.unique_name();
    spec.kernel = image.bzimage;
    spec.initrd = std::move(archive);
    spec.cmdline = cmdline;
    spec.cpus = machine.cpus;
    spec.memory_mib = machine.memory_mib;
    spec.kvm = machine.accelerator == "kvm";
    spec.virtual_clock = machine.clock == "virtual";
    return spec;
  }

  /// Starting a VM can fail for a passing reason, so it is tried twice.
  Result<std::unique_ptr<vm::Domain>> start(vm::DomainSpec& spec) {
    auto domain = host.create(spec);
    if (domain || spec.kvm) return domain;
    notice(fmt::format("the VM did not start, once more: {}", domain.error().message));
    spec.name = host.unique_name();
    return host.create(spec);
  }

  void live(vm::DomainSpec& spec, Session& session, const Observer& observer, std::stop_token stop,
            Boot& boot);

  Settings settings;
  vm::Host host;
  std::string agent_digest;
  std::optional<std::int64_t> tsc_khz = host_tsc_khz();
};

/// The counter of a guest is the host's; QEMU's virtual clock has one of its own, of 1 GHz.
std::optional<std::int64_t> guest_tsc_khz(const Machine& machine,
                                          std::optional<std::int64_t> host_khz) {
  constexpr std::int64_t kVirtual_khz = 1'000'000;
  return machine.clock == "virtual" ? kVirtual_khz : host_khz;
}

bool asks_for_counter(const std::vector<std::string>& base, const std::vector<std::string>& more) {
  return std::ranges::find(base, kTimeByCounter) != base.end() ||
         std::ranges::find(more, kTimeByCounter) != more.end();
}

void Lab::Impl::live(vm::DomainSpec& spec, Session& session, const Observer& observer,
                     std::stop_token stop, Boot& boot) {
  const auto asked_at = Life::Clock::now();
  const auto before = read_host();
  auto domain = start(spec);
  boot.domain = spec.name;
  if (!domain) {
    boot.outcome = BootOutcome::infra;
    boot.reason = domain.error().message;
    return;
  }
  Life life(**domain, session, observer, asked_at);
  const auto ending = life.run(std::move(stop));
  boot.outcome = ending.outcome;
  boot.reason = ending.reason;
  boot.console_tail = life.console().tail();
  boot.host = conditions_between(before, read_host(), life.cpu_seconds());
  const auto destroying_at = Life::Clock::now();
  // A VM that stays is the host's fault, but takes nothing back from what was measured.
  if (const auto destroyed = (*domain)->destroy(); !destroyed) notice(destroyed.error().message);
  boot.destroy_seconds = seconds_since(destroying_at);
}

Lab::Lab(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Lab::Lab(Lab&&) noexcept = default;
Lab& Lab::operator=(Lab&&) noexcept = default;
Lab::~Lab() = default;

const vm::HostFacts& Lab::host() const {
  return impl_->host.facts();
}
const std::string& Lab::agent_digest() const {
  return impl_->agent_digest;
}

Result<Lab> Lab::open(Settings settings, vm::HostSettings host_settings) {
  BR_TRY_ASSIGN(auto digest, digest_of_file(settings.agent));
  BR_TRY_ASSIGN(auto host, vm::Host::connect(std::move(host_settings)));
  return Lab(std::make_unique<Impl>(std::move(settings), std::move(host), std::move(digest)));
}

Boot Lab::boot(const Image& image, const Machine& machine, const Scenario& scenario,
               const std::vector<std::string>& base_boot_args, const Observer& observer,
               std::stop_token stop) {
  const auto started_at = Life::Clock::now();
  Boot boot;
  boot.machine = machine;
  // Under KVM the guest has a clock of its own, and need not be told.
  const auto tsc_khz = guest_tsc_khz(machine, impl_->tsc_khz);
  boot.cmdline =
      command_line(base_boot_args, image.boot_args,
                   {machine.cpus, machine.accelerator == "tcg" ? tsc_khz : std::nullopt});
  // While an idle guest waits for us, its virtual clock races: hours of silence are seconds here.
  if (machine.clock == "virtual") boot.cmdline += " bisect_agent.silence=0";
  auto spec = impl_->spec_for(image, machine, scenario.mode, boot.cmdline);
  if (!spec) {
    boot.outcome = BootOutcome::infra;
    boot.reason = spec.error().message;
    return boot;
  }
  const Proof proof{image.build_id, image.config_digest, image.offload, impl_->agent_digest,
                    machine.cpus};
  Session session(scenario, proof, impl_->settings.deadlines, machine.clock != "virtual",
                  SampleClock(tsc_khz, asks_for_counter(base_boot_args, image.boot_args)));
  Observer keeping = observer;
  keeping.handshake = [&](const Handshake& handshake) -> Status {
    boot.handshake = handshake;
    return observer.handshake ? observer.handshake(handshake) : Status();
  };
  impl_->live(*spec, session, keeping, std::move(stop), boot);
  boot.wall_seconds = seconds_since(started_at);
  return boot;
}

/// A boot to the agent's hello, with less patience than usual.
Boot Lab::trial_boot(const Image& proof, const Machine& machine,
                     const std::vector<std::string>& base_boot_args, double deadline_s) {
  const auto usual = impl_->settings.deadlines;
  impl_->settings.deadlines.boot_s = std::min(usual.boot_s, deadline_s);
  auto trial = boot(proof, machine, {}, base_boot_args, {}, {});
  impl_->settings.deadlines = usual;
  return trial;
}

Status Lab::prove_virtual_clock(const Image& proof, const Machine& machine,
                                const std::vector<std::string>& base_boot_args) {
  const Boot trial = trial_boot(proof, machine, base_boot_args, kVirtualClockProof_s);
  if (trial.outcome == BootOutcome::complete) return {};
  return fail(ErrorKind::infra,
              fmt::format("the virtual clock does not work here with this kernel on {} vCPUs: a "
                          "boot ended as {}: {}; QEMU {} may hang when a kernel starts its second "
                          "CPU under it: --cpus 1, a newer QEMU, or --clock real",
                          machine.cpus, to_string(trial.outcome), trial.reason,
                          host().qemu_version),
              trial.console_tail);
}

Result<std::string> Lab::accelerator(const std::string& wanted, const Image& proof,
                                     const std::vector<std::string>& base_boot_args) {
  if (wanted == "tcg") return wanted;
  if (wanted != "kvm" && wanted != "auto")
    return fail(ErrorKind::usage,
                fmt::format("'{}' is no accelerator; auto, kvm and tcg are", wanted));
  const AcceleratorMemory memory(impl_->settings.memory_of_accelerators, host_boot_id(),
                                 host().qemu_version);
  std::error_code error;
  std::string why = "this machine has no /dev/kvm";
  if (fs::exists("/dev/kvm", error)) {
    const auto remembered = memory.kvm_works();
    if (remembered == true) return std::string("kvm");
    if (remembered == false && wanted == "auto") return std::string("tcg");
    Machine machine;
    machine.accelerator = "kvm";
    const Boot trial = trial_boot(proof, machine, base_boot_args, kKvmProof_s);
    const bool works = trial.outcome == BootOutcome::complete;
    memory.remember(works);
    if (works) return std::string("kvm");
    why = fmt::format("a boot with it ended as {}: {}", to_string(trial.outcome), trial.reason);
  }
  if (wanted == "kvm") return fail(ErrorKind::infra, "KVM does not work here: " + why);
  impl_->notice("KVM does not work here, so TCG is used, which is slower: " + why);
  return std::string("tcg");
}

}  // namespace bisect_run::lab
