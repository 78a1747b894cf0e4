#include "kernel/fact_store.h"

#include <sstream>
#include <string_view>

#include "kernel/files.h"
#include "wire/digest.h"

namespace bisect_run::kernel {
namespace {

constexpr std::string_view kTitle = "tree facts 1";

std::string text_of(const TreeFacts& facts) {
  auto text = std::string(kTitle) + "\n" + facts.tree_oid + "\n" + facts.configure_digest + "\n";
  for (const auto& symbol : facts.declared) text += symbol + "\n";
  return text + wire::digest_of(text) + "\n";
}

std::optional<TreeFacts> parse(const std::string& text) {
  // The last line is the digest of all before it.
  if (text.size() < 2 || text.back() != '\n') return std::nullopt;
  const auto last = text.rfind('\n', text.size() - 2);
  if (last == std::string::npos) return std::nullopt;
  const auto body = text.substr(0, last + 1);
  if (text.substr(last + 1, text.size() - last - 2) != wire::digest_of(body)) return std::nullopt;
  std::istringstream lines(body);
  std::string title, symbol;
  TreeFacts facts;
  std::getline(lines, title);
  std::getline(lines, facts.tree_oid);
  std::getline(lines, facts.configure_digest);
  if (title != kTitle) return std::nullopt;
  while (std::getline(lines, symbol)) facts.declared.insert(symbol);
  return facts;
}

}  // namespace

FactStore::FactStore(std::filesystem::path directory, const Recipe& recipe)
    : directory_(std::move(directory)) {
  wire::Digest digest;
  for (const auto& symbol : symbols_of_interest(recipe)) digest.add(symbol);
  questions_ = digest.hex();
}

std::optional<TreeFacts> FactStore::find(const std::string& tree_key) const {
  const auto text = read_file(file_of(tree_key));
  return text ? parse(*text) : std::nullopt;
}

Status FactStore::keep(const std::string& tree_key, const TreeFacts& facts) const {
  return write_file(file_of(tree_key), text_of(facts));
}

std::filesystem::path FactStore::file_of(const std::string& tree_key) const {
  return directory_ / wire::Digest().add(tree_key).add(questions_).hex();
}

}  // namespace bisect_run::kernel
