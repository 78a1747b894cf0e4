#include "vm/host.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <utility>

#include "model/try.h"
#include "vm/connection.h"
#include "vm/domain_impl.h"
#include "vm/domain_xml.h"
#include "vm/embed_root.h"
#include "vm/orphan_reaper.h"
#include "vm/sweep.h"

namespace bisect_run::vm {
namespace fs = std::filesystem;
namespace {

// Short, since unix socket paths end at 107 bytes, and the same for all controllers of a user, so
// that each finds what a dead one left.
const fs::path kRootParent = "/tmp";

Status check_uri(const std::string& uri) {
  const auto scheme = uri.find("://");
  if (scheme == uri.npos || !uri.starts_with("qemu"))
    return fail(
        ErrorKind::usage,
        fmt::format("'{}' is no libvirt URI of QEMU; qemu:///embed and qemu:///system are", uri));
  // Kernels are handed over as files, which must be on the VM host.
  if (uri[scheme + 3] != '/')
    return fail(ErrorKind::usage,
                fmt::format("'{}' is another machine; VMs run on this one only", uri));
  return {};
}

Status copy_to(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  if (error)
    return fail(ErrorKind::infra, fmt::format("cannot copy {} to {}: {}", from.string(),
                                              to.string(), error.message()));
  ::chmod(to.c_str(), 0644);
  return {};
}

/// libvirt's embedded driver keeps the first root it was opened with until the process ends, even
/// when the connection is closed; so the root lives as long.
Result<std::shared_ptr<EmbedRoot>> root_of_process(const QemuAccount& account) {
  static std::mutex mutex;
  static std::shared_ptr<EmbedRoot> root;
  std::scoped_lock guard(mutex);
  if (!root) {
    BR_TRY_ASSIGN(auto made, EmbedRoot::make(kRootParent, account));
    root = std::make_shared<EmbedRoot>(std::move(made));
  }
  return root;
}

/// On a host that is very busy libvirt's first look at QEMU can come to nothing.
Result<HostFacts> examine(const Connection& connection) {
  constexpr int kTries = 3;
  for (int attempt = 1;; ++attempt) {
    auto facts = connection.examine();
    if (facts || attempt == kTries) return facts;
  }
}

}  // namespace

class Host::Impl {
 public:
  Impl(HostSettings settings_, QemuAccount account_, std::shared_ptr<EmbedRoot> root_,
       Connection connection_, HostFacts facts_)
      : settings(std::move(settings_)),
        account(account_),
        root(std::move(root_)),
        connection(std::move(connection_)),
        facts(std::move(facts_)) {}

  bool embedded() const { return settings.uri == "qemu:///embed"; }

  /// Kernel, initrd and an empty console where QEMU's account can reach them.
  Result<DomainPlaces> stage(const DomainSpec& spec) {
    const fs::path directory = root->boot_directory() / spec.name;
    DomainPlaces places{facts.emulator, facts.machine, directory / "kernel", directory / "initrd",
                        directory / "console"};
    std::error_code error;
    fs::create_directory(directory, error);
    ::chmod(directory.c_str(), 0711);
    BR_TRY(copy_to(spec.kernel, places.kernel));
    BR_TRY(copy_to(spec.initrd, places.initrd));
    if (account.changed && embedded()) (void)::lchown(directory.c_str(), account.uid, account.gid);
    return places;
  }

  Result<std::unique_ptr<Domain>> start(const DomainSpec& spec, const DomainPlaces& places) {
    auto mailbox = connection.mailbox_for(spec.name);
    const OrphanReaper reaper;
    BR_TRY_ASSIGN(auto handle, connection.create(domain_xml(spec, places), !embedded(),
                                                 embedded() && ::geteuid() == 0));
    auto process = QemuProcess::from_pid_file(root->pid_file(spec.name));
    if (process) process->reap_when_gone();
    if (process) {
      if (auto limited = process->limit_files(spec.most_written_bytes); !limited) {
        process->kill();
        return std::unexpected(std::move(limited).error());
      }
    }
    auto channel = AgentChannel::open(connection.get(), handle.get(), mailbox);
    if (!channel) {
      if (process) process->kill();
      return std::unexpected(std::move(channel).error());
    }
    return std::make_unique<Domain>(
        std::make_unique<Domain::Impl>(spec.name, places.kernel.parent_path(), std::move(mailbox),
                                       std::move(handle), std::move(process), std::move(*channel)));
  }

  HostSettings settings;
  QemuAccount account;
  std::shared_ptr<EmbedRoot> root;
  Connection connection;
  HostFacts facts;
};

Host::Host(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Host::Host(Host&&) noexcept = default;
Host& Host::operator=(Host&&) noexcept = default;
Host::~Host() = default;

Result<Host> Host::connect(HostSettings settings) {
  BR_TRY(check_uri(settings.uri));
  BR_TRY(sweep_leftovers(kRootParent));
  BR_TRY_ASSIGN(const auto account, QemuAccount::find());
  BR_TRY_ASSIGN(auto root, root_of_process(account));
  const bool embedded = settings.uri == "qemu:///embed";
  std::string uri = settings.uri;
  if (embedded) {
    root->seed_capabilities(settings.capabilities_cache, account);
    if (!account.changed) ::setenv("XDG_RUNTIME_DIR", (root->path() / "xdg").c_str(), 1);
    uri += "?root=" + root->path().string();
  }
  if (embedded) adopt_orphans();
  const OrphanReaper reaper;
  BR_TRY_ASSIGN(auto connection, Connection::open(uri));
  BR_TRY_ASSIGN(auto facts, examine(connection));
  if (embedded) root->keep_capabilities(settings.capabilities_cache);
  return Host(std::make_unique<Impl>(std::move(settings), account, std::move(root),
                                     std::move(connection), std::move(facts)));
}

std::string Host::unique_name() {
  static std::atomic<int> next = 1;
  return fmt::format("{}{}-{}", kDomainPrefix, impl_->settings.run_tag, next++);
}

Result<std::unique_ptr<Domain>> Host::create(const DomainSpec& spec) {
  BR_TRY_ASSIGN(const auto places, impl_->stage(spec));
  auto started = impl_->start(spec, places);
  if (!started) {
    std::error_code ignored;
    fs::remove_all(places.kernel.parent_path(), ignored);
  }
  return started;
}

const HostFacts& Host::facts() const {
  return impl_->facts;
}

}  // namespace bisect_run::vm
