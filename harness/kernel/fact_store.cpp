#include "kernel/fact_store.h"

#include <sstream>
#include <string_view>

#include "kernel/files.h"
#include "kernel/tree_questions.h"
#include "wire/digest.h"

namespace bisect_run::kernel {
namespace {

constexpr std::string_view kTitle = "tree facts 2";

std::string text_of(const TreeFacts& facts) {
  auto text = std::string(kTitle) + "\n" + facts.tree_oid + "\n" + facts.configure_digest + "\n";
  for (const auto& symbol : facts.declared) text += "declares " + symbol + "\n";
  for (const auto& name : facts.remedies) text += "remedy " + name + "\n";
  for (const auto& name : facts.toolchains) text += "toolchain " + name + "\n";
  for (const auto& [name, value] : facts.derived) text += "derived " + name + " " + value + "\n";
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
  std::string title;
  TreeFacts facts;
  std::getline(lines, title);
  std::getline(lines, facts.tree_oid);
  std::getline(lines, facts.configure_digest);
  if (title != kTitle) return std::nullopt;
  for (std::string kind, rest; lines >> kind && std::getline(lines >> std::ws, rest);) {
    if (kind == "declares") facts.declared.insert(rest);
    if (kind == "remedy") facts.remedies.insert(rest);
    if (kind == "toolchain") facts.toolchains.insert(rest);
    if (const auto blank = rest.find(' '); kind == "derived" && blank != std::string::npos)
      facts.derived.emplace(rest.substr(0, blank), rest.substr(blank + 1));
  }
  return facts;
}

}  // namespace

FactStore::FactStore(std::filesystem::path directory, const Recipe& recipe)
    : directory_(std::move(directory)) {
  wire::Digest digest;
  for (const auto& symbol : symbols_of_interest(recipe)) digest.add(symbol);
  const auto add_rule = [&](const std::string& name, const std::vector<TreeQuestion>& when) {
    digest.add(name);
    for (const auto& question : when) digest.add(describe(question));
  };
  for (const auto& remedy : recipe.remedies) add_rule("remedy " + remedy.name, remedy.when);
  for (const auto& chain : recipe.toolchains) add_rule("toolchain " + chain.name, chain.when);
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
