#include "report/host_state.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/numbers.h"

namespace bisect_run::report {
namespace {

void add(HostState::Range& range, const std::optional<double>& value) {
  if (!value) return;
  range.low = std::min(range.low.value_or(*value), *value);
  range.high = std::max(range.high.value_or(*value), *value);
}

/// `3`, or `3 to 5` where the two read differently.
std::string range_text(const HostState::Range& range, double factor, int decimals,
                       std::string_view unit) {
  const auto low = fmt::format("{:.{}f}{}", *range.low * factor, decimals, unit);
  const auto high = fmt::format("{:.{}f}{}", *range.high * factor, decimals, unit);
  return low == high ? low : low + " to " + high;
}

}  // namespace

HostState host_state_of(const History& history) {
  HostState all;
  for (const auto& record : history.boots) {
    all.disturbed += record.boot.outcome == BootOutcome::disturbed ? 1 : 0;
    if (!record.boot.host) continue;
    const HostConditions& host = *record.boot.host;
    ++all.boots;
    add(all.load, host.load);
    add(all.others, host.others);
    add(all.steal, host.steal);
    add(all.mhz, host.mhz);
    all.suspended_s += host.suspended_s;
  }
  return all;
}

std::string host_state_text(const HostState& state) {
  std::string text;
  const auto say = [&](std::string part) { text += (text.empty() ? "" : "; ") + part; };
  if (state.load.low) say("load " + range_text(state.load, 1, 1, ""));
  if (state.others.low)
    say(fmt::format("others than the VM used {} of the CPU time",
                    range_text(state.others, 100, 0, " %")));
  if (state.steal.high && *state.steal.high >= 0.005)
    say("stolen " + range_text(state.steal, 100, 0, " %"));
  if (state.mhz.low) say(range_text(state.mhz, 1, 0, " MHz"));
  if (state.suspended_s >= 1)
    say(fmt::format("the host slept for {}", duration_text(state.suspended_s)));
  if (state.disturbed > 0)
    say(fmt::format("{} boot{} repeated because of it", state.disturbed,
                    state.disturbed == 1 ? "" : "s"));
  return text;
}

}  // namespace bisect_run::report
