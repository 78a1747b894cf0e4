#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/boot.h"

namespace bisect_run::engine {

/// One number per boot (statistics.md section 2): the median over the boot's samples of
/// metric and mark, as items per second, or of the value itself where a sample carries one. The
/// median at any number of them: below seven a trimmed mean would have 3 % less noise there, but
/// would not be the number that the reports show.
/// `mark` 0 takes the samples without marks. Nothing if there is no sample, or if the number is
/// not finite and positive: such a boot does not vote.
std::optional<double> boot_value(const std::vector<Sample>& samples, std::string_view metric,
                                 std::int64_t mark);

}  // namespace bisect_run::engine
