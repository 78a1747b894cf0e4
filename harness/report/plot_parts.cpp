#include "report/plot_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "report/columns.h"
#include "report/mail.h"
#include "report/numbers.h"

namespace bisect_run::report {
namespace {

/// 1, 2 and 5 times the powers of ten: a logarithmic axis of one decade has labels too.
std::string tics_between(double low, double high) {
  std::string tics;
  for (double power = std::pow(10, std::floor(std::log10(low))); power <= high; power *= 10)
    for (const int digit : {1, 2, 5})
      if (digit * power >= low && digit * power <= high)
        tics += fmt::format("{}{:.6g}", tics.empty() ? "" : ", ", digit * power);
  return tics;
}

}  // namespace

void DataBlock::add(std::initializer_list<double> numbers) {
  for (const double number : numbers) lines_ += fmt::format("{:.6g} ", number);
  lines_ += "\n";
}

std::string DataBlock::text() const {
  return fmt::format("${} << EOD\n{}EOD\n", name_, lines_);
}

std::string plot_command(const std::vector<std::string>& parts) {
  return parts.empty() ? std::string{} : fmt::format("plot {}\n", fmt::join(parts, ", "));
}

std::string value_axis(const std::vector<double>& values, const std::string& label) {
  std::string text = fmt::format("set ylabel {}\n", plot_text(label));
  if (values.empty()) return text;
  const auto [low, high] = std::ranges::minmax(values);
  if (low > 0 && high > 8 * low)
    return text + fmt::format("set logscale y\nset yrange [{:.6g}:{:.6g}]\nset ytics ({})\n",
                              low / 1.6, high * 1.6, tics_between(low / 1.6, high * 1.6));
  return text + fmt::format("set yrange [0:{:.6g}]\n", high > 0 ? high * 1.15 : 1);
}

std::string value_label(const Metric& metric, std::int64_t mark) {
  return mark > 0 ? fmt::format("{} at {} ({})", metric.name, mark, metric.unit)
                  : fmt::format("{} ({})", metric.name, metric.unit);
}

std::string column_label(const ComparisonFacts& facts, std::size_t column) {
  const auto& spec = facts.columns[column].spec;
  auto label = fmt::format("{} {}", kernel_name(spec, 24), spec.variant);
  const bool machines_differ = std::ranges::any_of(facts.columns, [&](const Column& each) {
    return each.machine.cpus != facts.columns.front().machine.cpus;
  });
  if (machines_differ) label += fmt::format(", {} vCPU", facts.columns[column].machine.cpus);
  return label;
}

std::string plot_text(std::string_view text) {
  std::string safe = "'";
  for (const char c : ascii(text)) {
    const bool harmless = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                          std::string_view(" .,:;_+-/@()%<>=~^").find(c) != std::string_view::npos;
    safe += harmless ? c : '_';
  }
  return safe + "'";
}

std::string script_for(const Plot& plot, const PlotSize& size, std::string_view file) {
  return fmt::format(
      "reset session\nset terminal svg size {},{} dynamic font 'sans-serif,13' noenhanced\n"
      "set output {}\nset border 3\nset tics nomirror out\nset grid ytics\n"
      "set key outside top center horizontal{}\nset samples 2\n{}unset output\n",
      size.width, size.height, plot_text(file),
      size.width < 500 ? " maxcols 1\nset xtics rotate by -45" : "", plot.script);
}

std::string inline_svg(std::string_view svg, int number) {
  const auto begin = svg.find("<svg");
  std::string text(begin == std::string_view::npos ? std::string_view{} : svg.substr(begin));
  const auto replace_all = [&](std::string_view from, const std::string& to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  const auto drop = [&](std::string_view first, std::string_view last) {
    const auto at = text.find(first);
    const auto end = text.find(last, at == std::string::npos ? 0 : at);
    if (at != std::string::npos && end != std::string::npos) text.erase(at, end + last.size() - at);
  };
  for (auto at = text.find("<title>"); at != std::string::npos; at = text.find("<title>"))
    drop("<title>", "</title>");
  drop("<desc>", "</desc>");
  const auto prefix = fmt::format("p{}", number);
  replace_all("id='", "id='" + prefix);
  replace_all("id=\"", "id=\"" + prefix);
  replace_all("href='#", "href='#" + prefix);
  replace_all("url(#", "url(#" + prefix);
  return text;
}

}  // namespace bisect_run::report
