#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "model/error.h"
#include "model/unique_fd.h"

namespace bisect_run::vm {

inline constexpr const char* kRootPrefix = "brv-";  ///< /tmp/brv-XXXXXX
inline constexpr const char* kOwnerFile = "owner";  ///< marks a root as ours
inline constexpr const char* kDomainPrefix = "bisect-run-";

/// The account QEMU runs under. Root gives its privileges away, unless /dev/kvm is open to root
/// only; then QEMU stays root without capabilities. Others keep their own.
struct QemuAccount {
  uid_t uid;
  gid_t gid;
  bool changed;  ///< it is not ours: files must be handed over

  /// Errors: infra, with the command that makes the account.
  static Result<QemuAccount> find();
};

/// A controller's own directory: libvirt's embed root, and where kernels and consoles of its
/// running VMs lie. Short, since it holds unix sockets. Its lock tells whether the controller
/// lives. Gone with the object.
class EmbedRoot {
 public:
  /// `parent` is /tmp except in tests. Errors: infra.
  static Result<EmbedRoot> make(const std::filesystem::path& parent, const QemuAccount& account);

  EmbedRoot(EmbedRoot&&) noexcept = default;
  EmbedRoot& operator=(EmbedRoot&&) = delete;
  ~EmbedRoot();

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path boot_directory() const { return path_ / "boot"; }
  std::filesystem::path pid_file(const std::string& domain) const;

  /// Copies what an earlier controller learnt about QEMU in or out. Best effort: without it the
  /// first start is slow, not wrong.
  void seed_capabilities(const std::filesystem::path& cache, const QemuAccount& account) const;
  void keep_capabilities(const std::filesystem::path& cache) const;

 private:
  EmbedRoot(std::filesystem::path path, UniqueFd lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;
  UniqueFd lock_;
};

}  // namespace bisect_run::vm
