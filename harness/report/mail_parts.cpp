#include "report/mail_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "report/mail.h"
#include "report/numbers.h"

namespace bisect_run::report {
namespace {

constexpr std::size_t kIndent = 15, kMostDifferences = 12;

bool address_byte(unsigned char c) {
  return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-' || c == '+' || c >= 0x80;
}

/// The bounds of the address around the `@` at `at`; equal where there is none.
std::pair<std::size_t, std::size_t> address_around(std::string_view text, std::size_t at) {
  std::size_t first = at, last = at + 1;
  while (first > 0 && address_byte(static_cast<unsigned char>(text[first - 1]))) --first;
  while (last < text.size() && address_byte(static_cast<unsigned char>(text[last]))) ++last;
  const auto domain = text.substr(at + 1, last - at - 1);
  const auto dot = domain.find('.');
  const bool named = first < at && dot != 0 && dot != std::string_view::npos &&
                     dot + 1 < domain.size() &&
                     std::isalpha(static_cast<unsigned char>(domain[dot + 1])) != 0;
  return named ? std::pair{first, last} : std::pair{at, at};
}

std::string offload_text(const BuiltKernel& kernel) {
  if (!kernel.offloaded) return {};
  if (kernel.offloaded->empty()) return "RCU callbacks not offloaded (verified in the guest)";
  return fmt::format("RCU callbacks of CPUs {} offloaded (verified in the guest)",
                     *kernel.offloaded);
}

/// HZ, preemption and offloading of a kernel; one line in most runs.
std::string character_of(const BuiltKernel& kernel) {
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  };
  if (!kernel.hz.empty()) add("HZ=" + kernel.hz);
  if (!kernel.preemption.empty()) add("CONFIG_" + kernel.preemption);
  add(offload_text(kernel));
  return text;
}

/// One line for all kernels where they are alike, else one for each.
std::string kernels_text(const RunFacts& run) {
  std::string text;
  std::vector<std::string> seen;
  for (const auto& kernel : run.kernels) {
    const auto character = character_of(kernel);
    if (!character.empty() && std::ranges::find(seen, character) == seen.end())
      seen.push_back(character);
  }
  if (seen.size() == 1) return mail_line("kernels", seen.front());
  for (const auto& kernel : run.kernels)
    text += mail_line(text.empty() ? "kernels" : "",
                      fmt::format("{}@{}: {}", kernel.name, kernel.variant, character_of(kernel)));
  return text;
}

std::string differences_text(const RunFacts& run) {
  if (!run.differences) return {};
  const auto between = fmt::format("{} and {}", run.differ_first, run.differ_second);
  if (run.differences->empty()) return mail_line("config", "the same in " + between);
  std::string list;
  for (std::size_t i = 0; i < std::min(run.differences->size(), kMostDifferences); ++i) {
    const auto& each = (*run.differences)[i];
    list += fmt::format("{}{} {} -> {}", i > 0 ? ", " : "", each.symbol, each.first, each.second);
  }
  if (run.differences->size() > kMostDifferences)
    list += fmt::format(", and {} more", run.differences->size() - kMostDifferences);
  return mail_line("config", fmt::format("{} differ: {}", between, list));
}

std::string compiler_of(const RunFacts& run) {
  for (const auto& kernel : run.kernels)
    if (!kernel.compiler.empty()) return kernel.compiler;
  return run.compiler;
}

}  // namespace

std::string without_addresses(std::string_view text) {
  std::string clean;
  for (std::size_t from = 0; from <= text.size();) {
    const auto at = text.find('@', from);
    if (at == std::string_view::npos) return clean + std::string(text.substr(from));
    const auto [first, last] = address_around(text, at);
    if (first == last || first < from) {
      clean += text.substr(from, at + 1 - from);
      from = at + 1;
    } else {
      clean += text.substr(from, first - from);
      clean += "<address>";
      from = last;
    }
  }
  return clean;
}

std::string ascii(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    for (const unsigned char c : printable(text.substr(0, end)))
      if (c < 0x80)
        plain += static_cast<char>(c);
      else if ((c & 0xc0) != 0x80)
        plain += '?';
    if (end < text.size()) plain += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return plain;
}

std::string mail_safe(std::string_view text) {
  return without_addresses(ascii(text));
}

std::string fixes_style(const Commit& commit) {
  return fmt::format("{} (\"{}\")", commit.oid.abbreviated(), printable(commit.subject));
}

std::string mail_line(std::string_view name, std::string_view value) {
  if (value.empty()) return {};
  return fmt::format("  {:<13}{}\n", name, wrapped(mail_safe(value), kIndent));
}

std::string mail_prose(std::string_view text) {
  return wrapped(mail_safe(text), 0) + "\n";
}

std::string measured_on(const RunFacts& run, const Machine& machine) {
  std::string text =
      mail_line("machine", machine.is_host() ? "this machine itself, in fresh namespaces"
                                             : "QEMU guest with " + describe(machine));
  if (!run.host_cpu.empty())
    text += mail_line("host", fmt::format("{} x {}", run.host_cpus, run.host_cpu));
  std::string software;
  for (const auto& [name, version] :
       {std::pair{"Linux ", run.host_kernel}, {"QEMU ", run.qemu}, {"libvirt ", run.libvirt}})
    if (!version.empty()) software += (software.empty() ? "" : ", ") + (name + version);
  text += mail_line("software", software);
  text += mail_line("compiler", compiler_of(run));
  text += mail_line("remedies", run.remedies) + mail_line("clock", run.clocks);
  return text + kernels_text(run) + differences_text(run);
}

}  // namespace bisect_run::report
