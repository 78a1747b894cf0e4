// rooms: kernel
// options: -max_len=4096 -rss_limit_mb=128 -malloc_limit_mb=8
// What configuring reads: a person's .config, the .config that a tree made of it, Kconfig files,
// and the dependency files and messages that a build leaves. A line that is asked for says the same
// when it is read back, and paths stay below the tree.
// The input is several texts, parted by lines `===`.

#include <algorithm>
#include <set>
#include <vector>

#include "fuzz/fuzz.h"
#include "kernel/build_log.h"
#include "kernel/files_read.h"
#include "kernel/fragment.h"
#include "kernel/host_trouble.h"
#include "kernel/kconfig.h"
#include "kernel/ledger.h"
#include "kernel/own_config.h"

namespace {

using namespace bisect_run;
using test::require;

std::string_view next_text(std::string_view& input) {
  constexpr std::string_view kBetween = "===\n";
  const auto end = input.find(kBetween);
  const auto text = input.substr(0, end);
  input.remove_prefix(end == input.npos ? input.size() : end + kBetween.size());
  return text;
}

void check_config(std::string_view asked, std::string_view got) {
  const auto lines = kernel::parse_own_config(asked, ".config");
  if (!lines) return require(lines.error().kind == ErrorKind::usage);
  const auto again = kernel::parse_own_config(kernel::fragment_text(*lines), "again");
  require(again && again->size() == lines->size());
  for (std::size_t i = 0; i < lines->size(); ++i)
    require((*again)[i].symbol == (*lines)[i].symbol && (*again)[i].value == (*lines)[i].value);
  // What is asked for and got in the same words was kept.
  const auto declares = [](std::string_view) { return true; };
  const auto kept = kernel::settle(kernel::merge({}, *lines),
                                   kernel::fragment_text(kernel::merge({}, *lines)), declares);
  require(kernel::lost_own_lines(*lines, kept).empty());
  const auto ledger = kernel::settle(*lines, got, declares);
  require(ledger.size() <= lines->size());
  (void)kernel::lost_own_lines(*lines, ledger);
  (void)kernel::check_musts(ledger);
}

void check_kconfig(std::string_view text) {
  std::set<std::string, std::less<>> symbols;
  std::vector<std::string> sources;
  kernel::scan_kconfig(text, symbols, sources);
  for (const auto& symbol : symbols) require(symbol.find_first_of(" \t\n=") == symbol.npos);
}

void check_build_output(std::string_view text) {
  for (const auto& path : kernel::paths_below("/tree", text))
    require(!path.empty() && path.front() != '/');
  kernel::BuildLog log("/tree");
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    log.line(line);
    (void)kernel::host_trouble_in(line);
  }
  require(log.steps() >= 0 && log.first_error().size() <= (1u << 16));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto asked = next_text(input), got = next_text(input);
  check_config(asked, got);
  check_kconfig(next_text(input));
  check_build_output(input);
  return 0;
}
