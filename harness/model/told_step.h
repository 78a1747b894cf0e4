#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "model/commit.h"

// A bisection told again, step by step, for `show`. A view of the history, never stored.

namespace bisect_run {

/// What is believed of the commit that is sought.
struct ToldBelief {
  std::size_t open = 0;  ///< commits in the smallest set that holds 95 %
  Oid favourite;         ///< the most likely commit, where one stands out; else empty
  double favourite_mass = 0;
};

struct ToldStep {
  enum class Kind { boot, build_failed, built };
  Kind kind = Kind::boot;
  Oid oid;
  std::string subject;
  bool built_for_it = false;    ///< boot: its kernel was made or fetched for this boot
  bool going_on = false;        ///< boot: it has not ended yet
  std::string failure;          ///< why the build, or the boot, brought no number
  std::optional<double> value;  ///< of the boot
  std::string why;              ///< why it was made; empty: not what the strategy would do now
  std::optional<ToldBelief> before, after;  ///< null: the ends were not told apart yet
};

}  // namespace bisect_run
