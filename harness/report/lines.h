#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bisect_run::report {

inline constexpr std::size_t kIndent = 15;  ///< of the values behind a name

/// `  name         value`, wrapped; nothing for an empty value. Without a name the line goes on
/// with the one before.
std::string line(std::string_view name, std::string_view value);

/// Names and values; one without a name goes on with the one before.
using NamedLines = std::vector<std::pair<std::string, std::string>>;

/// All of them, one below the other.
std::string lines_text(const NamedLines& lines);

/// A probability in percent; never 100 %, which would be a promise that no measurement keeps.
std::string confidence_text(double confidence);

}  // namespace bisect_run::report
