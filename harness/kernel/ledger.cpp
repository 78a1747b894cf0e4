#include "kernel/ledger.h"

#include <fmt/format.h>

namespace bisect_run::kernel {
namespace {

constexpr std::string_view kPrefix = "CONFIG_";

std::string_view reason(LedgerFate fate) {
  return fate == LedgerFate::unknown_symbol ? "no Kconfig file of this tree declares it"
                                            : "a dependency is not met, or another choice won";
}

}  // namespace

std::map<std::string, std::string, std::less<>> parse_config(std::string_view text) {
  std::map<std::string, std::string, std::less<>> values;
  while (!text.empty()) {
    const auto end = text.find('\n');
    auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.starts_with(kPrefix)) continue;
    line.remove_prefix(kPrefix.size());
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    values.insert_or_assign(std::string(line.substr(0, equals)),
                            std::string(line.substr(equals + 1)));
  }
  return values;
}

std::vector<LedgerLine> settle(const std::vector<ConfigLine>& asked, std::string_view config,
                               const Declares& declares) {
  const auto values = parse_config(config);
  std::vector<LedgerLine> ledger;
  for (const auto& line : asked) {
    const auto found = values.find(line.symbol);
    LedgerLine entry{line.symbol, line.value, found == values.end() ? "n" : found->second,
                     LedgerFate::kept, line.must};
    if (entry.got != entry.asked)
      entry.fate = declares(line.symbol) ? LedgerFate::unmet : LedgerFate::unknown_symbol;
    if (line.where_known && entry.fate == LedgerFate::unknown_symbol) entry.must = false;
    if (!line.own || entry.fate != LedgerFate::kept) ledger.push_back(std::move(entry));
  }
  return ledger;
}

Status check_musts(const std::vector<LedgerLine>& ledger) {
  std::string missing;
  for (const auto& line : ledger) {
    if (!line.must || line.fate == LedgerFate::kept) continue;
    if (!missing.empty()) missing += "; ";
    missing += fmt::format("CONFIG_{}={} became {} ({})", line.symbol, line.asked, line.got,
                           reason(line.fate));
  }
  if (missing.empty()) return {};
  return fail(ErrorKind::skip_build, "this tree cannot be configured as needed: " + missing);
}

}  // namespace bisect_run::kernel
