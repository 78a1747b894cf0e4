#include "lab/handshake.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace bisect_run::lab {
namespace {

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

/// "3" or "0-3".
std::optional<std::pair<int, int>> parse_range(std::string_view text) {
  const auto dash = text.find('-');
  const auto first = number(text.substr(0, dash));
  const auto last = dash == text.npos ? first : number(text.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return std::pair(*first, *last);
}

std::optional<std::set<int>> wanted_cpus(std::string_view offload, int cpus) {
  std::set<int> wanted;
  if (offload.empty() || offload == "none") return wanted;
  if (offload == "0") return std::set<int>{0};
  if (offload != "all" && offload != "all-but-0") return std::nullopt;
  for (int cpu = offload == "all" ? 0 : 1; cpu < cpus; ++cpu) wanted.insert(cpu);
  return wanted;
}

Ending wrong(std::string reason) {
  return {BootOutcome::wrong_kernel, std::move(reason)};
}

std::optional<Ending> check_offload(const wire::Hello& hello, const Proof& proof) {
  const auto wanted = wanted_cpus(proof.offload, proof.cpus);
  if (!wanted)
    return Ending{BootOutcome::infra,
                  fmt::format("'{}' is no set of CPUs that the lab can check", proof.offload)};
  const bool asked = !proof.offload.empty() && proof.offload != "none";
  if (asked && wanted->empty())
    return Ending{BootOutcome::variant_lost,
                  fmt::format("RCU callbacks cannot be offloaded from '{}' where there is no other "
                              "CPU; give the machine two",
                              proof.offload)};
  const auto shown = parse_cpu_list(hello.offloaded, proof.cpus);
  if (shown == wanted) return std::nullopt;
  return Ending{
      BootOutcome::variant_lost,
      fmt::format("RCU callbacks should be offloaded from CPUs '{}' of {}, but the "
                  "kernel's log says '{}'",
                  proof.offload.empty() ? "none" : proof.offload, proof.cpus, hello.offloaded)};
}

}  // namespace

std::optional<std::set<int>> parse_cpu_list(std::string_view list, int cpus) {
  std::set<int> numbers;
  while (!list.empty() && (list.back() == '.' || list.back() == ' ')) list.remove_suffix(1);
  if (list.empty() || list == "(none)") return numbers;
  for (;;) {
    const auto comma = list.find(',');
    const auto range = parse_range(list.substr(0, comma));
    if (!range) return std::nullopt;
    for (int cpu = range->first; cpu <= range->second && cpu < cpus; ++cpu) numbers.insert(cpu);
    if (comma == list.npos) return numbers;
    list.remove_prefix(comma + 1);
  }
}

std::optional<Ending> check_handshake(const wire::Hello& hello, const Proof& proof) {
  if (hello.protocol != wire::kProtocol)
    return Ending{BootOutcome::protocol, fmt::format("the agent speaks protocol {}, not {}",
                                                     hello.protocol, wire::kProtocol)};
  if (hello.agent_digest != proof.agent_digest)
    return Ending{BootOutcome::protocol,
                  fmt::format("the agent in the guest has digest {}, the one packed {}",
                              hello.agent_digest, proof.agent_digest)};
  if (proof.own_kernel) return std::nullopt;
  if (proof.build_id.empty()) return wrong("the image has no build id, so nothing proves it");
  if (hello.build_id != proof.build_id)
    return wrong(fmt::format("the guest runs build id '{}' (release {}), the image has {}",
                             hello.build_id, hello.release, proof.build_id));
  // A kernel without /proc/config.gz is proven by its build id alone.
  if (!proof.config_digest.empty() && !hello.config_digest.empty() &&
      hello.config_digest != proof.config_digest)
    return wrong(fmt::format("/proc/config.gz has digest {}, the image's .config {}",
                             hello.config_digest, proof.config_digest));
  if (hello.cpus != proof.cpus)
    return wrong(
        fmt::format("{} CPUs are online in the guest, {} were asked for", hello.cpus, proof.cpus));
  return check_offload(hello, proof);
}

}  // namespace bisect_run::lab
