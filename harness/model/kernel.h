#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/commit.h"
#include "model/machine.h"

namespace bisect_run {

/// Bytes. Longer patches are not taken: they are kept with each build, and no change that a person
/// would read comes near.
inline constexpr std::size_t kLongestPatch = 16u << 20;

/// A change on top of a commit: a patch file's text, or a commit to cherry-pick.
struct Patch {
  std::string name;  ///< as the person wrote it: file name or revision
  std::string text;  ///< unified diff or mbox
};

/// Everything a person can ask of one kernel: `REV[+PATCH…][@VARIANT]`, resolved.
struct KernelSpec {
  std::string text;  ///< as typed but for the variant, or made up for a bisected commit
  Oid commit;
  std::vector<Patch> patches;
  std::string variant;  ///< of kernels.yaml: off, none, zero, all, …, or several axes: all,hz1000
  std::optional<Machine> machine = std::nullopt;  ///< a named kernel's own; no part of its identity

  bool operator==(const KernelSpec& other) const {
    return commit == other.commit && variant == other.variant && patches_equal(other);
  }

 private:
  bool patches_equal(const KernelSpec& other) const {
    if (patches.size() != other.patches.size()) return false;
    for (std::size_t i = 0; i < patches.size(); ++i)
      if (patches[i].text != other.patches[i].text) return false;
    return true;
  }
};

/// What became of one requested config symbol.
enum class LedgerFate {
  kept,            ///< the value asked for is the value in .config
  unknown_symbol,  ///< no Kconfig file of this tree declares it
  unmet,           ///< declared, but a dependency was not met or another choice won
};

struct LedgerLine {
  std::string symbol;  ///< without CONFIG_
  std::string asked;   ///< y, n, m, a number or a quoted string
  std::string got;     ///< the same; n when the symbol does not appear in .config
  LedgerFate fate = LedgerFate::kept;
  bool must = false;   ///< a must-have: without it the kernel is skipped
};

/// What one remedy of kernels.yaml did to a build or boot.
struct AppliedRemedy {
  std::string name;
  std::string did;  ///< for a person, `CC+=-fno-pie`
};

/// A built kernel, in our own cache.
struct Image {
  std::string build_key;            ///< digest of all inputs of the build
  std::string signature;            ///< digest of the loadable sections; equal means the same kernel
  std::string build_id;             ///< GNU build id, hex
  std::string release;              ///< `make kernelrelease`
  std::string config_digest;        ///< digest of .config, what /proc/config.gz must unpack to
  std::string compiler;             ///< first line of `CC --version`
  std::filesystem::path bzimage;
  std::filesystem::path config;
  std::vector<LedgerLine> ledger;
  std::vector<AppliedRemedy> remedies;  ///< what this tree needed to build and boot
  std::vector<std::string> boot_args;   ///< what remedies and variant add to the command line
  std::string offload;              ///< CPUs that must be offloaded: "", "0", "all"; see Variant
  bool cached = false;              ///< it was there already: nothing was built
  double build_seconds = 0;         ///< wall time of the build, 0 when cached
};

/// The stable word for a fate, as stored and printed.
std::string_view to_string(LedgerFate fate);
std::optional<LedgerFate> ledger_fate_from(std::string_view word);

}  // namespace bisect_run
