#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bisect/strategy.h"

namespace bisect_run::bisect {

/// One boot of one node.
struct Reading {
  double y = 0;
  double time_s = 0;
  std::uint32_t build = 0;
};

/// The evidence by node. Boots without a finite number or time are void and left out.
class Readings {
 public:
  explicit Readings(const Evidence& evidence);

  /// The boots of a node in the order of time; empty for a node never booted.
  const std::vector<Reading>& of(Node node) const;
  /// Nodes in the order of their first boot.
  const std::vector<Node>& booted() const { return booted_; }
  /// Why a node was skipped, or null.
  const std::string* skip_reason(Node node) const;
  const std::map<Node, std::string>& skipped() const { return skipped_; }
  /// End of the last boot; 0 before the first.
  double last_time() const { return last_time_; }
  /// True if some boot of `a` ran the same image as some boot of `b`.
  bool same_image(Node a, Node b) const;
  /// How many of the latest boots, without a gap, ran an image of `a` or `b`.
  std::size_t latest_of(Node a, Node b) const;

 private:
  std::map<Node, std::vector<Reading>> by_node_;
  std::vector<Node> booted_;
  std::vector<std::uint32_t> builds_;  // of all boots, in order
  std::map<Node, std::string> skipped_;
  double last_time_ = 0;
};

}  // namespace bisect_run::bisect
