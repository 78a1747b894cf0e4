// rooms: stats bisect git
// How many commits of a range the dependency rule sets back, and how many builds that saves:
//   set_back REPOSITORY GOOD BAD FILES-READ… [--runs N]
// FILES-READ are lists as a build leaves them in the image cache (images/KEY/files-read), best of
// both ends. The saving is simulated: the culprit is any commit that is not set back, half again as
// slow, and the whole search is played with the rule and without it.

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <unordered_set>
#include <vector>

#include "bisect/posterior.h"
#include "bisect/set_back.h"
#include "git/repository.h"
#include "support/simulated_lab.h"

namespace {

using namespace bisect_run;
using bisect::Node;

template <class T>
T must(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}\n", result.error().message);
  std::exit(2);
}

std::unordered_set<std::string> read_lists(const std::vector<std::string>& files) {
  std::unordered_set<std::string> read;
  for (const std::string& file : files) {
    std::ifstream lines(file);
    if (!lines) {
      fmt::print(stderr, "{} cannot be read\n", file);
      std::exit(2);
    }
    for (std::string line; std::getline(lines, line);) read.insert(line);
  }
  return read;
}

double mean_builds(const bisect::Graph& graph, const std::vector<Node>& culprits,
                   const bisect::NodeSet& set_back) {
  int builds = 0;
  for (std::size_t run = 0; run < culprits.size(); ++run) {
    bisect::PosteriorSettings settings;
    settings.set_back = set_back;
    const auto strategy = bisect::make_posterior(graph, settings);
    const auto played =
        test::play(*strategy, test::one_change(graph, culprits[run], 0.4, 0.01), run);
    builds += played.builds;
    if (played.conclusion.nodes != std::vector<Node>{culprits[run]})
      fmt::print("run {}: the culprit {} was not named\n", run, culprits[run]);
  }
  return static_cast<double>(builds) / static_cast<double>(culprits.size());
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  std::size_t runs = 40;
  if (arguments.size() > 2 && arguments[arguments.size() - 2] == "--runs") {
    runs = static_cast<std::size_t>(std::atoi(arguments.back().c_str()));
    arguments.resize(arguments.size() - 2);
  }
  if (arguments.size() < 4) {
    fmt::print(stderr, "set_back REPOSITORY GOOD BAD FILES-READ… [--runs N]\n");
    return 2;
  }
  const auto repository = must(git::Repository::open(arguments[0]));
  const auto range = must(repository.range(must(repository.resolve(arguments[1])),
                                           must(repository.resolve(arguments[2]))));
  const auto touched = must(repository.touched_paths(range));
  const auto read = read_lists({arguments.begin() + 3, arguments.end()});
  const bisect::NodeSet set_back = bisect::set_back(touched, read);
  fmt::print(
      "{} commits, {} files read; set back {} ({:.0f} %)\n", range.candidates(), read.size(),
      set_back.count(),
      100.0 * static_cast<double>(set_back.count()) / static_cast<double>(range.candidates()));

  const bisect::Graph graph(range);
  std::mt19937_64 random(1);
  std::vector<Node> culprits;
  while (culprits.size() < runs) {
    const Node node = std::uniform_int_distribution<Node>(graph.boundary(), graph.bad())(random);
    if (!set_back.contains(node)) culprits.push_back(node);
  }
  const double without = mean_builds(graph, culprits, {});
  const double with = mean_builds(graph, culprits, set_back);
  fmt::print("builds of a search, mean of {}: {:.1f} without the rule, {:.1f} with it\n", runs,
             without, with);
}
