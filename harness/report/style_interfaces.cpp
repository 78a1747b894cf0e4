#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/numbers.h"
#include "report/styles.h"

namespace bisect_run::report {
namespace {

double per_item(const LoopTotal& total) {
  return total.seconds / static_cast<double>(std::max<std::int64_t>(total.items, 1));
}

bool is_phase(const LoopTotal& total, std::string_view name) {
  return total.phase == name || total.phase.starts_with(std::string(name) + ".");
}

/// `0m12.756s`, as bash writes a time.
std::string minutes(std::optional<double> seconds) {
  if (!seconds) return "-";
  const auto ms = std::llround(*seconds * 1000);
  return fmt::format("{}m{}.{:03}s", ms / 60000, ms % 60000 / 1000, ms % 1000);
}

std::string verb(const LoopTotal& total) {
  if (is_phase(total, "create")) return "creating";
  if (is_phase(total, "delete")) return "deleting";
  if (is_phase(total, "addr")) return "adding addresses to";
  return total.phase.empty() ? "measuring" : total.phase;
}

/// The totals of the same kind and phase in other sizes, the smallest first.
std::vector<const LoopTotal*> sizes_of(const std::vector<LoopTotal>& totals, const LoopTotal& one) {
  std::vector<const LoopTotal*> sizes;
  for (const auto& total : totals)
    if (total.kind == one.kind && verb(total) == verb(one)) sizes.push_back(&total);
  std::ranges::stable_sort(sizes, {}, [](const LoopTotal* total) { return total->items; });
  return sizes;
}

std::string scaling(const std::vector<LoopTotal>& totals) {
  std::string text;
  for (const auto& total : totals) {
    const auto sizes = sizes_of(totals, total);
    if (sizes.size() < 2 || sizes.front() != &total) continue;
    for (const auto* size : sizes)
      text +=
          fmt::format("{:<20} {:<8} {:>8} {:>14} ms/item{}\n", verb(*size), cut(size->kind, 8),
                      size->items, value_text(1000 * per_item(*size)),
                      size == &total ? "" : "  x" + ratio_text(per_item(*size) / per_item(total)));
  }
  return text.empty() ? text : "\ntime per item, and its ratio to the smallest number\n" + text;
}

}  // namespace

std::string greear_style(const std::vector<LoopTotal>& totals) {
  std::string text;
  for (const auto& total : totals) {
    const auto seconds = trimmed(total.seconds, 6), each = trimmed(per_item(total), 9);
    if (is_phase(total, "create"))
      text += fmt::format("{}Created {} {} in {} seconds ({} per interface).\n",
                          text.empty() ? "" : "\n", total.items, total.kind, seconds, each);
    else if (is_phase(total, "addr"))
      text += fmt::format("Added IP addresses in {} seconds ({} per addr).\n", seconds, each);
    else if (is_phase(total, "delete"))
      text += fmt::format("Deleted {} {} in {} seconds. ({} per interface)\n", total.items,
                          total.kind, seconds, each);
    else
      text += fmt::format("Did {} {}{}{} in {} seconds ({} per item).\n", total.items, total.kind,
                          total.phase.empty() ? "" : " ", total.phase, seconds, each);
  }
  return text;
}

std::string bligh_style(const std::vector<LoopTotal>& totals) {
  std::string text;
  for (const auto& total : totals)
    text += fmt::format("{} {} {}\n\nreal    {}\nuser    {}\nsys     {}\n\n", verb(total),
                        total.items, total.kind, minutes(total.seconds), minutes(total.user_s),
                        minutes(total.system_s));
  if (text.ends_with("\n\n")) text.pop_back();
  return text + scaling(totals);
}

}  // namespace bisect_run::report
