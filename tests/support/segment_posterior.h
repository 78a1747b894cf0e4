#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <vector>

#include "bisect/strategy.h"

namespace bisect_run::test {

using bisect::Node;

/// Where the first bad commit of a linear history is, if every boot says by itself how much
/// likelier it makes the bad level than the good one. Uniform before any boot.
class SegmentPosterior {
 public:
  /// Commits after `before` up to `last`, which no boot tells apart.
  struct Segment {
    Node before = 0, last = 0;
    double mass = 0;
    double below = 0;  ///< mass of all segments before it

    Node size() const { return last - before; }
    /// P(the commit is bad).
    double bad(Node at) const { return below + mass * (at - before) / size(); }
    /// The commit strictly inside whose bad() is nearest to a half; only if there are two.
    Node centre() const {
      const double place = mass > 0 ? before + (0.5 - below) / mass * size() : before;
      return static_cast<Node>(
          std::clamp(std::round(place), before + 1.0, static_cast<double>(last) - 1));
    }
  };
  struct Probe {
    double log_ratio = 0;
    int boots = 0;
  };

  explicit SegmentPosterior(Node last) : last_(last) {}

  /// One boot; `log_ratio` = ln p(it | bad) - ln p(it | good).
  void add(Node at, double log_ratio) {
    Probe& probe = probes_[at];
    probe.log_ratio += log_ratio;
    ++probe.boots;
  }
  const std::map<Node, Probe>& probes() const { return probes_; }

  /// In ascending order; their masses sum to 1.
  std::vector<Segment> segments() const {
    std::vector<Segment> segments;
    double after = 0;  // of the probes that are bad, were the culprit in the first segment
    for (const auto& [at, probe] : probes_) after += probe.log_ratio;
    Node before = 0;
    const auto add_segment = [&](Node last) {
      segments.push_back({before, last, std::log(last - before) + after, 0});
      before = last;
    };
    for (const auto& [at, probe] : probes_) {
      add_segment(at);
      after -= probe.log_ratio;
    }
    add_segment(last_);
    normalise(segments);
    return segments;
  }

 private:
  /// From logarithms to shares.
  static void normalise(std::vector<Segment>& segments) {
    double top = segments.front().mass;
    for (const Segment& segment : segments) top = std::max(top, segment.mass);
    double total = 0;
    for (Segment& segment : segments) total += segment.mass = std::exp(segment.mass - top);
    double below = 0;
    for (Segment& segment : segments) {
      segment.mass /= total;
      segment.below = below;
      below += segment.mass;
    }
  }

  Node last_;
  std::map<Node, Probe> probes_;
};

}  // namespace bisect_run::test
