#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "kernel/plan.h"
#include "model/error.h"

namespace bisect_run::kernel {

/// Keeps what was seen in trees, one small file a tree and set of questions.
class FactStore {
 public:
  FactStore(std::filesystem::path directory, const Recipe& recipe);

  /// Nothing if this tree was not looked at yet, or the file is damaged.
  std::optional<TreeFacts> find(const std::string& tree_key) const;
  /// `tree_key` is what the caller knows before a checkout. Error: infra.
  Status keep(const std::string& tree_key, const TreeFacts& facts) const;

 private:
  std::filesystem::path file_of(const std::string& tree_key) const;

  std::filesystem::path directory_;
  std::string questions_;  ///< digest of all that is looked at
};

}  // namespace bisect_run::kernel
