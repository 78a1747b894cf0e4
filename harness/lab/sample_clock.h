#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/boot.h"
#include "wire/messages.h"

namespace bisect_run::lab {

/// The boot argument by which kernels.yaml asks that a guest is timed by its time stamp counter.
/// No kernel knows it; each passes over what has a dot in its name.
inline constexpr std::string_view kTimeByCounter = "bisect-run.clock=tsc";

/// Which clock times the samples of one boot: the guest's own or, where that is coarse or was
/// asked to be left alone, the time stamp counter at the rate that the host knows. A guest that
/// counts jiffies loses ticks on a loaded host, so that its seconds are several of ours.
class SampleClock {
 public:
  SampleClock() = default;
  /// `tsc_khz`: of the guest's counter; nothing where it is not known, and then the guest's clock
  /// is used whatever it is.
  SampleClock(std::optional<std::int64_t> tsc_khz, bool by_counter)
      : tsc_khz_(tsc_khz), by_counter_(by_counter && tsc_khz) {}

  /// Learns what the guest has. A step of a millisecond or more is coarse.
  void look_at(const wire::Hello& hello);
  bool by_counter() const { return by_counter_; }

  /// Says in the handshake which clock it is, for all samples of the boot.
  void label(Handshake& handshake) const;
  /// Sets the wall time of a sample. False if it has no count of cycles to take it from.
  bool retime(Sample& sample) const;

 private:
  std::optional<std::int64_t> tsc_khz_;
  bool by_counter_ = false;
};

}  // namespace bisect_run::lab
