#include "report/lines.h"

#include <fmt/format.h>

#include "report/numbers.h"

namespace bisect_run::report {

std::string line(std::string_view name, std::string_view value) {
  if (value.empty()) return {};
  return fmt::format("  {:<13}{}\n", name, wrapped(value, kIndent));
}

std::string lines_text(const NamedLines& lines) {
  std::string text;
  for (const auto& [name, value] : lines) text += line(name, value);
  return text;
}

std::string confidence_text(double confidence) {
  return confidence > 0.9995 ? "more than 99.9 %" : fmt::format("{:.1f} %", confidence * 100);
}

}  // namespace bisect_run::report
