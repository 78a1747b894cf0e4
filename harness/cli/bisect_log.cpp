#include "cli/bisect_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "model/try.h"

namespace bisect_run::cli {
namespace {

constexpr std::size_t kLargest = std::size_t{16} << 20;

/// The words of a line as a shell would part them: git quotes with '…' and writes ' as '\''.
std::optional<std::vector<std::string>> words_of(std::string_view line) {
  std::vector<std::string> words;
  bool quoted = false, inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c != '\'') {
      words.back() += c;
    } else if (c == '\'') {
      quoted = !quoted;
      if (!inside) words.emplace_back();
      inside = true;
    } else if (c == ' ' || c == '\t') {
      inside = false;
    } else {
      if (!inside) words.emplace_back();
      inside = true;
      if (c == '\\' && i + 1 < line.size()) ++i;
      words.back() += line[i];
    }
  }
  if (quoted) return std::nullopt;
  return words;
}

/// `# bad: [OID] subject`: the term and the object name.
std::optional<std::pair<std::string, std::string>> comment_of(std::string_view line) {
  const auto colon = line.find(": [");
  const auto end = line.find(']');
  if (!line.starts_with("# ") || colon == line.npos || end == line.npos || end < colon + 3)
    return std::nullopt;
  return std::pair{std::string(line.substr(2, colon - 2)),
                   std::string(line.substr(colon + 3, end - colon - 3))};
}

class Reader {
 public:
  Result<BisectLog> read(std::string_view text) {
    std::istringstream lines{std::string(text)};
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (line.ends_with('\r')) line.pop_back();
      if (!take(line))
        return fail(ErrorKind::usage, fmt::format("line {} is no line of a git bisect log: {}",
                                                  number, line.substr(0, 80)));
    }
    if (!started_)
      return fail(ErrorKind::usage,
                  "there is no `git bisect start` in it: it is no git bisect log");
    return std::move(log_);
  }

 private:
  bool take(const std::string& line) {
    if (line.find_first_not_of(" \t") == line.npos) return true;
    if (line.starts_with('#')) {
      // Ends that `start` was given are written in full before it.
      if (const auto comment = comment_of(line); comment && !started_) before_.push_back(*comment);
      return true;
    }
    auto words = words_of(line);
    if (!words) return false;
    if (!words->empty() && words->front() == "git-bisect") {
      words->erase(words->begin());
    } else {
      if (words->size() < 2 || (*words)[0] != "git" || (*words)[1] != "bisect") return false;
      words->erase(words->begin(), words->begin() + 2);
    }
    if (words->empty()) return false;
    const auto command = words->front();
    words->erase(words->begin());
    if (command == "start") return start(*words);
    if (command == "terms") return true;
    for (const auto& revision : *words)
      if (!mark(command, revision)) return false;
    return started_ && !words->empty();
  }

  bool start(const std::vector<std::string>& words) {
    log_ = {};
    started_ = true;
    std::vector<std::string> revisions;
    bool paths = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto& word = words[i];
      const auto value = [&](std::string_view name) -> std::optional<std::string> {
        if (word == name && i + 1 < words.size()) return words[++i];
        if (word.starts_with(std::string(name) + "=")) return word.substr(name.size() + 1);
        return std::nullopt;
      };
      if (paths) {
        log_.paths.push_back(word);
      } else if (word == "--") {
        paths = true;
      } else if (const auto bad = value("--term-bad")) {
        bad_ = *bad;
      } else if (const auto new_term = value("--term-new")) {
        bad_ = *new_term;
      } else if (const auto good = value("--term-good")) {
        good_ = *good;
      } else if (const auto old_term = value("--term-old")) {
        good_ = *old_term;
      } else if (word == "--first-parent") {
        log_.first_parent = true;
      } else if (!word.starts_with("--")) {
        revisions.push_back(word);
      }
    }
    return start_ends(revisions);
  }

  bool start_ends(const std::vector<std::string>& revisions) {
    if (before_.size() >= revisions.size() && !revisions.empty()) {
      return std::ranges::all_of(before_,
                                 [this](const auto& end) { return mark(end.first, end.second); });
    }
    for (std::size_t i = 0; i < revisions.size(); ++i) mark(i == 0 ? "bad" : "good", revisions[i]);
    return true;
  }

  bool mark(const std::string& term, const std::string& revision) {
    if (term == "skip") {
      log_.skip.push_back(revision);
    } else if (term == bad_ || term == "bad" || term == "new") {
      log_.bad = revision;
    } else if (term == good_ || term == "good" || term == "old") {
      log_.good.push_back(revision);
    } else {
      return false;
    }
    return true;
  }

  BisectLog log_;
  std::string bad_ = "bad", good_ = "good";
  std::vector<std::pair<std::string, std::string>> before_;
  bool started_ = false;
};

Result<std::string> text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text(kLargest + 1, '\0');
  if (!in.read(text.data(), static_cast<std::streamsize>(text.size())) && !in.eof())
    return fail(ErrorKind::usage, "it cannot be read");
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kLargest) return fail(ErrorKind::usage, "it is too large for a bisect log");
  return text;
}

/// What `good` vouches for below BAD: itself, or where it stands beside BAD, their merge base.
Result<Oid> good_below(const git::Repository& repository, const Oid& good, const Oid& bad) {
  BR_TRY_ASSIGN(const bool below, repository.is_ancestor(good, bad));
  if (below) return good;
  return repository.merge_base(good, bad);
}

Status take_over(const BisectLog& log, const git::Repository& repository, RunRequest& request) {
  if (log.bad.empty() || log.good.empty())
    return fail(ErrorKind::usage, fmt::format("it names no {} commit, and both ends are needed",
                                              log.bad.empty() ? "bad" : "good"));
  BR_TRY_ASSIGN(const auto bad, repository.resolve(log.bad));
  std::vector<Oid> good;
  std::optional<Oid> measured;
  std::string measured_text;
  for (const auto& revision : log.good) {
    BR_TRY_ASSIGN(const auto oid, repository.resolve(revision));
    BR_TRY_ASSIGN(auto below, good_below(repository, oid, bad));
    if (below.empty() || std::ranges::find(good, below) != good.end()) continue;
    measured = below;
    measured_text = below == oid ? revision : below.abbreviated();
    good.push_back(std::move(below));
  }
  if (!measured)
    return fail(ErrorKind::usage,
                "no good commit of it has any history in common with the bad one");
  std::erase(good, *measured);
  for (const auto& revision : log.skip) {
    BR_TRY_ASSIGN(auto oid, repository.resolve(revision));
    request.untestable.push_back(std::move(oid));
  }
  request.kernels = {{.text = measured_text, .commit = *measured, .patches = {}, .variant = {}},
                     {.text = log.bad, .commit = bad, .patches = {}, .variant = {}}};
  request.more_good = std::move(good);
  request.paths = log.paths;
  request.first_parent = log.first_parent;
  return {};
}

}  // namespace

Result<BisectLog> parse_bisect_log(std::string_view text) {
  return Reader().read(text);
}

Status import_bisect_log(const std::filesystem::path& file, const git::Repository& repository,
                         RunRequest& request) {
  const auto done = [&]() -> Status {
    BR_TRY_ASSIGN(const auto text, text_of(file));
    BR_TRY_ASSIGN(const auto log, parse_bisect_log(text));
    return take_over(log, repository, request);
  }();
  if (!done) return std::unexpected(in_context(done.error(), "--import " + file.string()));
  request.imported = std::filesystem::absolute(file).string();
  return {};
}

}  // namespace bisect_run::cli
