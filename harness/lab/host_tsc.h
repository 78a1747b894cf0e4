#pragma once

#include <cstdint>
#include <optional>

namespace bisect_run::lab {

/// The rate of this machine's time stamp counter in kHz, rounded to 100 kHz so that it is the same
/// in every run; nothing where the counter is not constant. Under TCG the guest's counter is the
/// host's, but a guest without ACPI has nothing to measure it by. Takes 20 ms.
std::optional<std::int64_t> host_tsc_khz();

}  // namespace bisect_run::lab
