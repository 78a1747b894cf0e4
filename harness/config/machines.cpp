#include "config/machines.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "model/try.h"

namespace bisect_run::config {
namespace {

constexpr std::array<std::string_view, 3> kAccelerators{"auto", "kvm", "tcg"};
constexpr std::array<std::string_view, 2> kClocks{"real", "virtual"};
constexpr int kLeastMib = 64, kMostMib = 64 * 1024;

Result<Machine> machine(const Cursor& value) {
  BR_TRY_ASSIGN(const auto fields, value.fields({"cpus", "memory", "accel", "clock"}));
  Machine made;
  if (const auto cpus = fields.find("cpus")) {
    BR_TRY_ASSIGN(const auto number, cpus->integer(1, 64));
    made.cpus = static_cast<int>(number);
  }
  if (const auto memory = fields.find("memory")) {
    BR_TRY_ASSIGN(made.memory_mib, memory_mib(*memory));
  }
  if (const auto accel = fields.find("accel")) {
    BR_TRY_ASSIGN(made.accelerator, accel->word(kAccelerators));
  }
  if (const auto clock = fields.find("clock")) {
    BR_TRY_ASSIGN(made.clock, clock->word(kClocks));
    if (made.clock == "virtual" && made.accelerator == "kvm")
      return std::unexpected(
          clock->fault("the virtual clock counts instructions, which only tcg can"));
    if (made.clock == "virtual") made.accelerator = "tcg";
  }
  return made;
}

}  // namespace

Result<int> parse_memory(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  if (error != std::errc{} || (unit != "MiB" && unit != "GiB"))
    return fail(ErrorKind::usage,
                fmt::format("'{:.40}' is no amount of memory; a whole number with MiB or GiB, such "
                            "as 512 MiB",
                            text));
  const auto mib = static_cast<std::int64_t>(number) * (unit == "GiB" ? 1024 : 1);
  if (mib < kLeastMib || mib > kMostMib)
    return fail(ErrorKind::usage, fmt::format("{:.40} is out of range; from {} MiB to {} GiB", text,
                                              kLeastMib, kMostMib / 1024));
  return static_cast<int>(mib);
}

Result<int> memory_mib(const Cursor& value) {
  BR_TRY_ASSIGN(const std::string text, value.text());
  const auto mib = parse_memory(text);
  if (!mib) return std::unexpected(value.fault(mib.error().message));
  return *mib;
}

Result<std::map<std::string, Machine>> machine_map(const Cursor& map) {
  BR_TRY_ASSIGN(const auto entries, map.entries());
  if (entries.empty()) return std::unexpected(map.fault("no machine; describe at least one"));
  std::map<std::string, Machine> machines;
  for (const auto& [key, value] : entries) {
    BR_TRY_ASSIGN(machines[key.text], machine(value));
  }
  return machines;
}

}  // namespace bisect_run::config
