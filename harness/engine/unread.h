#pragma once

#include <optional>
#include <set>
#include <string>
#include <unordered_set>

#include "bisect/node_set.h"
#include "engine/evidence.h"
#include "engine/prober.h"

namespace bisect_run::engine {

/// Which commits of a range change nothing that the kernels built so far have read (bisect/
/// set_back.h). Depends on the recorded builds alone, so a resumed run sets back the same ones.
class Unread {
 public:
  /// `source` null: nothing is ever set back.
  Unread(const Range& range, const NodeIndex& index, Builder& builder, Source* source,
         Observer* observer = nullptr)
      : range_(range), index_(index), builder_(builder), source_(source), observer_(observer) {}
  Unread(const Range& range, const NodeIndex& index, Ports& ports)
      : Unread(range, index, ports.builder, ports.source, &ports.observer) {}

  /// The commits to set back now; none before both ends are built, or where it is not known what
  /// some kernel read. Errors: infra.
  Result<bisect::NodeSet> now(const History& history);

 private:
  bool learn(const History& history);

  const Range& range_;
  const NodeIndex& index_;
  Builder& builder_;
  Source* source_;
  Observer* observer_;
  std::optional<TouchedPaths> touched_;
  std::set<std::string> builds_;  ///< build keys that were looked at
  std::unordered_set<std::string> read_;
  bool known_ = true;
  bisect::NodeSet nodes_;
};

}  // namespace bisect_run::engine
