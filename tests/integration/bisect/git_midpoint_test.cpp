// The counting on the graph against git's own: `git rev-list --bisect-all` gives, for every
// candidate, the smaller of what it would leave on either side.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <sstream>
#include <string>

#include "bisect/graph.h"
#include "support/histories.h"
#include "support/temp_dir.h"

namespace bisect_run::bisect {
namespace {

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return text;
  char buffer[4096];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    text.append(buffer, got);
  return pclose(pipe) == 0 ? text : std::string();
}

/// Makes the range's history in a bare repository with git fast-import; the tag nN is node N.
void import(const Range& range, const test::TempDir& dir) {
  std::ostringstream stream;
  for (std::size_t node = 0; node < range.nodes.size(); ++node) {
    stream << "commit refs/tags/n" << node << "\nmark :" << node + 1 << "\ncommitter A <a@b> "
           << 1'000'000 + node << " +0000\ndata 0\n";
    const char* word = "from";
    for (std::uint32_t parent : range.parents[node]) {
      stream << word << " :" << parent + 1 << "\n";
      word = "merge";
    }
    stream << "\n";
  }
  test::write_file(dir / "stream", stream.str());
  const std::string repo = (dir / "repo").string();
  const std::string command = "git init -q --bare " + repo + " && git -C " + repo +
                              " fast-import --quiet < " + (dir / "stream").string();
  ASSERT_EQ(std::system(command.c_str()), 0);
}

std::map<std::string, Node> nodes_by_oid(const std::string& git) {
  std::istringstream tags(
      output_of(git + " for-each-ref --format='%(objectname) %(refname:lstrip=2)' refs/tags"));
  std::map<std::string, Node> nodes;
  for (std::string oid, name; tags >> oid >> name;)
    nodes[oid] = static_cast<Node>(std::stoul(name.substr(1)));
  return nodes;
}

/// One question to git: `bad`, not `good`, not node 0.
void compare(const Graph& graph, Node bad, Node good, const std::string& git,
             const std::map<std::string, Node>& node_of) {
  NodeSet open = graph.ancestors(bad);
  open -= graph.ancestors(good);
  open -= graph.ancestors(0);
  if (open.empty()) return;
  const auto counts = count_ancestors(graph, open);
  const auto total = static_cast<std::uint32_t>(open.count());
  const auto split = [&](Node node) { return std::min(counts[node], total - counts[node]); };

  std::istringstream lines(output_of(git + " rev-list --bisect-all n" + std::to_string(bad) +
                                     " ^n" + std::to_string(good) + " ^n0"));
  std::size_t seen = 0;
  std::uint32_t best = 0;
  for (std::string line; std::getline(lines, line); ++seen) {
    const Node node = node_of.at(line.substr(0, 40));
    const std::string number = line.substr(line.find("dist=") + 5);
    const auto distance = static_cast<std::uint32_t>(std::stoul(number));
    EXPECT_TRUE(open.contains(node));
    EXPECT_EQ(split(node), distance);
    best = std::max(best, distance);
  }
  EXPECT_EQ(seen, total);
  EXPECT_EQ(split(midpoint(graph, open, NodeSet(graph.size())).value()), best);
}

TEST(GitMidpoint, CountsAgreeWithRevListBisectAll) {
  if (std::system("git --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "git is not installed";
  std::mt19937_64 random(23);
  for (int round = 0; round < 6; ++round) {
    const Range range = test::random_range(random, 40 + 130 * round, 0.3);
    const Graph graph(range);
    test::TempDir dir;
    import(range, dir);
    const std::string git = "git -C " + (dir / "repo").string();
    const auto node_of = nodes_by_oid(git);
    ASSERT_EQ(node_of.size(), range.nodes.size());
    for (int pair = 0; pair < 6; ++pair) {
      const Node bad = graph.size() - 1 - static_cast<Node>(random() % 3);
      const Node good = static_cast<Node>(random() % (graph.size() / 2));
      compare(graph, bad, good, git, node_of);
    }
  }
}

}  // namespace
}  // namespace bisect_run::bisect
