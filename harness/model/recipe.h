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
  std::vector<std::string> boot_args;        ///< `{last}` stands for the number of the last vCPU
  std::string offload = "none";              ///< what the guest must prove: none, 0, all, all-but-0
};

struct VariantRule {
  std::string name;
  std::string summary;
  std::vector<VariantCase> cases;
};

/// A compiler and the make variables that go with it.
struct Toolchain {
  std::string name = "default";
  std::string cc = "gcc";
  std::vector<std::string> make_variables;  ///< NAME=value
  std::string path;                ///< directories searched before PATH; may be empty
  std::string era;                 ///< for a person: which trees it is for
  std::vector<TreeQuestion> when;  ///< it is taken where all are answered with yes
};

/// The size of the caches where nothing else is said: 20 GB.
inline constexpr std::uint64_t kUsualCacheBytes = 20'000'000'000;

struct Recipe {
  std::filesystem::path file;
  std::optional<std::string> repository;
  Toolchain toolchain;                ///< the one that every tree can fall back to
  std::vector<Toolchain> toolchains;  ///< others, which may be absent: the first that fits is taken
  std::vector<Remedy> remedies;
  std::vector<ConfigLine> config;
  std::vector<std::string> boot_args;
  std::vector<VariantRule> variants;
  std::map<std::string, Machine> machines;
  std::string default_machine;
  std::uint64_t cache_bytes = kUsualCacheBytes;  ///< what all caches may take together

  const VariantRule* variant(std::string_view name) const;
};

}  // namespace bisect_run
