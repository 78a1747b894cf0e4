// A bisect log that git wrote, read by us; and one that we wrote, replayed by git.

#include "cli/bisect_log.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "cli/search_space.h"
#include "report/bisect_report.h"
#include "support/git_repo.h"

namespace bisect_run::cli {
namespace {

using test::GitRepo;
using test::TempDir;

std::set<std::string> lines(const std::string& text) {
  std::set<std::string> found;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) found.insert(line);
  return found;
}

std::set<std::string> candidates_of(const Range& range) {
  std::set<std::string> names;
  for (auto node = range.boundary; node < range.nodes.size(); ++node)
    names.insert(range.nodes[node].oid.hex);
  return names;
}

/// Twenty commits in a line, a branch of four from the fifth, merged before the fifteenth.
struct History {
  explicit History(const std::filesystem::path& where) : repo(where) {
    for (int i = 0; i < 15; ++i) main.push_back(one("main", i));
    repo.git("checkout -q -b side " + main[4]);
    for (int i = 0; i < 4; ++i) side.push_back(one("side", i));
    repo.git("checkout -q main");
    repo.git("merge -q --no-ff -m merge side");
    for (int i = 15; i < 20; ++i) main.push_back(one("main", i));
  }
  std::string one(const std::string& name, int i) {
    repo.write(name + "/file", std::to_string(i));
    return repo.commit(name + " " + std::to_string(i));
  }
  GitRepo repo;
  std::vector<std::string> main, side;
};

RunRequest imported(const History& history, const std::string& log) {
  test::write_file(history.repo.path() / ".git" / "log", log + "\n");
  RunRequest request;
  const auto repository = git::Repository::open(history.repo.path());
  const auto done = import_bisect_log(history.repo.path() / ".git" / "log", *repository, request);
  EXPECT_TRUE(done) << done.error().message;
  return request;
}

TEST(BisectLogOfGit, LeavesTheCandidatesThatGitWouldLeave) {
  const TempDir temp;
  History history(temp / "r");
  auto& repo = history.repo;
  repo.git("bisect start " + history.main[19] + " " + history.main[1]);
  repo.git("bisect good " + history.main[6]);
  repo.git("bisect skip " + history.main[12]);
  repo.git("bisect good " + history.side[1]);
  repo.git("bisect bad " + history.main[16]);
  const auto request = imported(history, repo.git("bisect log"));
  const auto repository = git::Repository::open(repo.path());
  const auto space = search_space(*repository, request);
  ASSERT_TRUE(space) << space.error().message;
  EXPECT_EQ(candidates_of(space->range),
            lines(repo.git("rev-list refs/bisect/bad --not --glob=refs/bisect/good-\\*")));
  EXPECT_EQ(request.kernels[1].commit.hex, history.main[16]);
  EXPECT_EQ(request.kernels[0].commit.hex, history.side[1]) << "the good end found last";
  ASSERT_EQ(request.untestable.size(), 1u);
  EXPECT_EQ(request.untestable[0].hex, history.main[12]);
}

TEST(BisectLogOfGit, AGoodCommitBesideTheBadOneCountsForWhatTheyShare) {
  const TempDir temp;
  History history(temp / "r");
  auto& repo = history.repo;
  repo.git("bisect start " + history.main[19] + " " + history.main[1]);
  repo.git("bisect good " + history.side[2]);
  repo.git("bisect bad " + history.main[10]);  // does not contain the branch
  const auto request = imported(history, repo.git("bisect log"));
  const auto repository = git::Repository::open(repo.path());
  const auto space = search_space(*repository, request);
  ASSERT_TRUE(space) << space.error().message;
  EXPECT_EQ(candidates_of(space->range),
            lines(repo.git("rev-list refs/bisect/bad --not --glob=refs/bisect/good-\\*")));
}

TEST(BisectLogOfGit, PathsAndFirstParentsAreTakenOver) {
  const TempDir temp;
  History history(temp / "r");
  auto& repo = history.repo;
  repo.git("bisect start --first-parent " + history.main[19] + " " + history.main[1] +
           " -- main/file");
  const auto request = imported(history, repo.git("bisect log"));
  EXPECT_TRUE(request.first_parent);
  EXPECT_EQ(request.paths, std::vector<std::string>{"main/file"});
}

TEST(BisectLogOfGit, WhatTheRepositoryDoesNotHoldIsRefused) {
  const TempDir temp;
  History history(temp / "r");
  test::write_file(temp / "log", "git bisect start\ngit bisect bad " + std::string(40, '7') +
                                     "\ngit bisect good " + history.main[1] + "\n");
  const auto repository = git::Repository::open(history.repo.path());
  RunRequest request;
  const auto refused = import_bisect_log(temp / "log", *repository, request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::usage);
  EXPECT_NE(refused.error().message.find("7777"), std::string::npos);
  test::write_file(temp / "log", "git bisect start\ngit bisect good " + history.main[1] + "\n");
  const auto half = import_bisect_log(temp / "log", *repository, request);
  ASSERT_FALSE(half);
  EXPECT_NE(half.error().message.find("no bad commit"), std::string::npos);
}

report::BisectFacts facts_of(const History& history) {
  report::BisectFacts facts;
  facts.run.id = "20261130-141503-k3f9";
  facts.good = {.text = "first", .commit = {history.main[1]}, .patches = {}, .variant = {}};
  facts.bad = {.text = "last", .commit = {history.main[19]}, .patches = {}, .variant = {}};
  const auto probe = [&](const std::string& oid, Outcome outcome) {
    facts.probes.push_back({.oid = {oid}, .subject = "it's a subject", .outcome = outcome});
  };
  probe(history.main[1], Outcome::good);
  probe(history.side[3], Outcome::good);
  probe(history.main[11], Outcome::good);
  probe(history.main[12], Outcome::bad);
  probe(history.main[13], Outcome::undecided);
  probe(history.main[14], Outcome::skip);
  probe(history.main[15], Outcome::bad);
  probe(history.main[19], Outcome::bad);
  Answer answer;
  answer.kind = Answer::Kind::commit;
  answer.commits = {{.oid = {history.main[12]}, .subject = "it's a subject"}};
  facts.answer = answer;
  return facts;
}

TEST(BisectLogOfOurs, IsReplayedByGitToTheSameAnswer) {
  const TempDir temp;
  History history(temp / "r");
  const auto log = report::bisect_log(facts_of(history));
  test::write_file(temp / "log", log);
  const auto said = history.repo.git("bisect replay " + test::shell_quoted(temp / "log"));
  EXPECT_NE(said.find(history.main[12] + " is the first bad commit"), std::string::npos)
      << said << "\n"
      << log;
  // And what git then logs is read by us again.
  const auto request = imported(history, history.repo.git("bisect log"));
  EXPECT_EQ(request.kernels[1].commit.hex, history.main[12]);
}

TEST(BisectLogOfOurs, WithoutAnAnswerGitGoesOnFromThere) {
  const TempDir temp;
  History history(temp / "r");
  auto facts = facts_of(history);
  facts.answer.reset();
  facts.probes.erase(facts.probes.begin() + 2);  // nobody knows that main[11] is good
  facts.paths = {"main/file"};
  test::write_file(temp / "log", report::bisect_log(facts));
  history.repo.git("bisect replay " + test::shell_quoted(temp / "log"));
  EXPECT_EQ(history.repo.git("rev-parse refs/bisect/bad"), history.main[12]);
  EXPECT_NE(history.repo.git("bisect log").find("'main/file'"), std::string::npos);
}

}  // namespace
}  // namespace bisect_run::cli
