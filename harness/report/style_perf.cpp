#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/numbers.h"
#include "report/styles.h"

namespace bisect_run::report {
namespace {

std::optional<double> counter(const CounterBlock& block, std::string_view name) {
  for (const auto& each : block.counters)
    if (each.name == name) return each.value;
  return std::nullopt;
}

std::string figure(double value, int decimals, std::string_view unit) {
  return fmt::format("# {:8.{}f} {}", value, decimals, unit);
}

std::string share(const CounterBlock& block, double value, std::string_view of,
                  std::string_view words) {
  const auto whole = counter(block, of);
  if (!whole || *whole <= 0) return {};
  return fmt::format("# {:7.2f}% {}", 100 * value / *whole, words);
}

/// What perf derives from a counter: most are rates over the CPU time spent.
std::string derived(const CounterBlock& block, std::string_view name, double value) {
  const auto ratio_to = [&](std::string_view of) -> std::optional<double> {
    const auto divisor = counter(block, of);
    if (!divisor || *divisor <= 0) return std::nullopt;
    return value / *divisor;
  };
  if (name == "task-clock") {
    if (block.elapsed_s <= 0) return {};
    return figure(value / 1000 / block.elapsed_s, 3, "CPUs utilized");
  }
  if (name == "instructions") {
    const auto per_cycle = ratio_to("cycles");
    return per_cycle ? figure(*per_cycle, 2, "insns per cycle") : std::string{};
  }
  if (name == "branch-misses") return share(block, value, "branches", "of all branches");
  if (name == "stalled-cycles-frontend")
    return share(block, value, "cycles", "frontend cycles idle");
  if (name == "stalled-cycles-backend") return share(block, value, "cycles", "backend cycles idle");
  const auto per_ms = ratio_to("task-clock");
  if (!per_ms) return {};
  if (name == "cycles") return figure(*per_ms / 1e6, 3, "GHz");
  return figure(*per_ms / 1e3, 3, "M/sec");
}

/// A line of its own below the instructions: the worse of the two kinds of stall, per instruction.
std::string stalls(const CounterBlock& block) {
  const auto front = counter(block, "stalled-cycles-frontend"),
             back = counter(block, "stalled-cycles-backend");
  const auto instructions = counter(block, "instructions");
  if ((!front && !back) || !instructions || *instructions <= 0) return {};
  const double most = std::max(front.value_or(0), back.value_or(0));
  return std::string(44, ' ') + figure(most / *instructions, 2, "stalled cycles per insn") + "\n";
}

std::string counter_line(const CounterBlock& block, const Counter& each) {
  if (!each.value) return fmt::format("{:>18} {:<25}\n", "<not supported>", each.name);
  const auto value = each.name == "task-clock" ? fmt::format("{:.6f}", *each.value)
                                               : grouped(std::llround(*each.value));
  return fmt::format("{:>18} {:<25}{}\n", value, each.name, derived(block, each.name, *each.value));
}

}  // namespace

std::string dumazet_style(const CounterBlock& block) {
  std::string text =
      fmt::format(" Performance counter stats for '{}':\n\n", printable(block.command));
  for (const auto& each : block.counters) {
    auto line = counter_line(block, each);
    line.erase(line.find_last_not_of(" \n") + 1);
    text += line + "\n";
    if (each.name == "instructions" && each.value) text += stalls(block);
  }
  text += fmt::format("\n{:>18.9f} seconds time elapsed\n", block.elapsed_s);
  if (block.pair_ns)
    text +=
        fmt::format("\nCost per pair of atomic operations: {} ns\n", trimmed(*block.pair_ns, 1));
  return text;
}

}  // namespace bisect_run::report
