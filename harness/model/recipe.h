#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/machine.h"
#include "model/remedy.h"

// What kernels.yaml says about building and booting, checked and resolved.

namespace bisect_run {

/// How one variant is made in trees of one age. The first case whose probe fits the checked-out
/// tree is taken: trees are looked at, release numbers never.
struct VariantCase {
  std::vector<std::string> with_symbols;     ///< Kconfig must declare all of them
  std::vector<std::string> without_symbols;  ///< and none of these
  std::string impossible;                    ///< not empty: this variant cannot exist here, and why
  std::vector<ConfigLine> config;
  std::vector<std::string> boot_args;  ///< `{last}` stands for the number of the last vCPU
  std::string offload = "none";        ///< what the guest must prove: none, 0, all, all-but-0
  std::map<std::string, std::vector<std::string>> flags = {};  ///< added to make variables
};

/// The axis of callback offloading: every kernel has a value of it.
inline constexpr const char* kOffloadAxis = "offload";

/// The axis whose values are the same code at other addresses: what a number owes to luck with
/// alignment and caches differs between them. A bisection that doubts a level builds them itself.
inline constexpr const char* kLayoutAxis = "layout";

/// One value of one axis. A kernel's variant names one value of each axis that it says something
/// about: `all`, or `all,hz1000`.
struct VariantRule {
  std::string name;
  std::string summary;
  std::vector<VariantCase> cases;
  std::string axis = kOffloadAxis;
  std::string
      equivalent;  ///< name of the variant that does the same by boot arguments; may be empty
};

/// A compiler and the make variables that go with it.
struct Toolchain {
  std::string name = "default";
  std::string cc = "gcc";
  std::vector<std::string> make_variables;  ///< NAME=value
  std::string path;                         ///< directories searched before PATH; may be empty
  std::string era;                          ///< for a person: which trees it is for
  std::vector<TreeQuestion> when;           ///< it is taken where all are answered with yes
};

/// The size of the caches where nothing else is said: 20 GB.
inline constexpr std::uint64_t kUsualCacheBytes = 20'000'000'000;

/// Whether builds run in namespaces of their own, with no network and no view of the machine's
/// files beyond programs: kernel/isolation.h.
enum class Isolate {
  where_possible,
  always,  ///< nothing is built where it cannot be had
  never,
};

/// auto, always, never; nothing for any other word.
std::optional<Isolate> parse_isolate(std::string_view word);

/// A kernel with a name of its own, good as a SPEC everywhere.
struct NamedKernel {
  std::string name;
  std::string revision;
  std::vector<std::string> patches;  ///< files, from the recipe's directory on, or revisions
  std::string variant;               ///< empty: the run's
  std::string machine;               ///< name; empty: the run's
};

struct Recipe {
  std::filesystem::path file;
  std::optional<std::string> repository;
  Toolchain toolchain;                ///< the one that every tree can fall back to
  std::vector<Toolchain> toolchains;  ///< others, which may be absent: the first that fits is taken
  std::vector<Remedy> remedies;
  std::vector<ConfigLine> config;
  std::vector<ConfigLine> own_config;  ///< a person's own .config, the base in place of `config`
  std::vector<std::string> boot_args;
  std::vector<VariantRule> variants;  ///< of all axes; those of one axis stand together
  std::vector<NamedKernel> kernels;
  std::map<std::string, Machine> machines;
  std::string default_machine;
  std::uint64_t cache_bytes = kUsualCacheBytes;  ///< what all caches may take together
  Isolate isolate_builds = Isolate::where_possible;

  /// The rule of one value.
  const VariantRule* variant(std::string_view name) const;
  const NamedKernel* kernel(std::string_view name) const;
};

}  // namespace bisect_run
