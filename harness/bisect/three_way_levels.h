#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bisect/readings.h"
#include "bisect/three_way.h"
#include "model/verdict.h"

// What the boots of both ends say: whether they differ, where the levels lie, and which of the two
// another commit is like.

namespace bisect_run::bisect {

using Boots = std::vector<Reading>;

/// Whether GOOD and BAD can be told apart.
struct EndsTest {
  enum class State { more, apart, refused };
  State state = State::more;
  std::size_t pairs = 0;  ///< looked at: at most the smaller number of boots
  double delta = 0;       ///< BAD minus GOOD
  double error = 0;       ///< standard error of delta
  std::string reason;     ///< when refused: what was found, what would be needed
};

/// Looks after 3, 5, 8, 11, … pairs, each at p = 0.002 (statistics.md, section 7). The first look
/// that decides counts, so boots made later never take a decision back.
EndsTest test_ends(const Boots& good, const Boots& bad, const ThreeWaySettings& settings);

/// Where both levels lie, now and over the run.
struct Levels {
  struct Knot {
    double time_s = 0;
    double shift = 0;  ///< of the whole level against the calibration
  };
  double good = 0;
  double bad = 0;
  double variance = 1;      ///< of one boot, within a kernel
  double freedom = 2;       ///< degrees of freedom behind it
  std::vector<Knot> drift;  ///< empty while the ends stay where they were
  bool unsettled = false;   ///< the last control shifted so far that another pair is wanted

  double delta() const { return bad - good; }
  /// A boot's y as it would have been at calibration.
  double settled(const Reading& boot) const;
};

/// Both levels from all boots of the ends; `pairs` of each belong to the calibration, the rest are
/// controls. Drift is believed only where a control stands out.
Levels estimate_levels(const Boots& good, const Boots& bad, std::size_t pairs,
                       const ThreeWaySettings& settings);

/// The sequential test of one commit.
struct Likeness {
  Outcome outcome = Outcome::undecided;
  double ratio = 0;         ///< log likelihood ratio, above 0 for BAD
  std::size_t decided = 0;  ///< boots when the limit was first reached; 0: never
};

/// Wald's test on (m_b-m_g)(y-(m_g+m_b)/2)/(1.2 s2) per boot (statistics.md, section 15, strategy
/// C), each boot's share bounded to 0.6 of the limit so that it takes two to decide.
Likeness liken(const Boots& boots, const Levels& levels, double limit);

}  // namespace bisect_run::bisect
