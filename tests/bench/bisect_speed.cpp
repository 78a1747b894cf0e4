// rooms: stats bisect git
// How long the posterior engine takes on histories of real size, beside `git rev-list --bisect` on
// the same history: loading, the choice of every action up to 150 boots, memory.
//   bisect_speed [COMMITS [MEAN-BRANCH-LENGTH]]   made up: 11031 18 is usual, about 7 % merges;
//   with
//                                                 a length of 5 they are about 15 %
//   bisect_speed --repo DIR GOOD BAD              a real one

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "bisect/posterior.h"
#include "git/repository.h"
#include "support/bisect_contest.h"
#include "support/temp_dir.h"

namespace {

using namespace bisect_run;

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Processor time of a command; below 0 where it fails.
double seconds_of(const std::string& command) {
  rusage before{}, after{};
  getrusage(RUSAGE_CHILDREN, &before);
  if (std::system(command.c_str()) != 0) return -1;
  getrusage(RUSAGE_CHILDREN, &after);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(after.ru_utime) - seconds(before.ru_utime) + seconds(after.ru_stime) -
         seconds(before.ru_stime);
}

/// Of `git rev-list --bisect` over the whole range, in a repository made of it; below 0 without
/// git.
double git_seconds(const Range& range) {
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
  test::TempDir dir;
  test::write_file(dir / "stream", stream.str());
  const std::string git = "git -C " + (dir / "r").string();
  const std::string make = "git init -q --bare " + (dir / "r").string() + " && " + git +
                           " fast-import --quiet < " + (dir / "stream").string();
  if (std::system(make.c_str()) != 0) return -1;
  return seconds_of(git + " rev-list --bisect n" + std::to_string(range.bad()) +
                    " ^n0 > /dev/null");
}

/// A range, and what git takes to bisect it.
struct Subject {
  Range range;
  double git_s = 0;
};

Subject made_up(int argc, char** argv) {
  const auto commits = static_cast<std::uint32_t>(argc > 1 ? std::atoi(argv[1]) : 11'031);
  std::mt19937_64 random(1);
  Range range = test::branching_range(random, commits, argc > 2 ? std::atof(argv[2]) : 18);
  const double git_s = git_seconds(range);
  return {std::move(range), git_s};
}

Subject real(const std::string& directory, const std::string& good, const std::string& bad) {
  const auto give_up = [](const Error& error) {
    fmt::print(stderr, "{}\n", error.message);
    std::exit(2);
  };
  auto repository = git::Repository::open(directory);
  if (!repository) give_up(repository.error());
  const auto from = repository->resolve(good), to = repository->resolve(bad);
  if (!from || !to) give_up(!from ? from.error() : to.error());
  const double begin = processor_seconds();
  auto range = repository->range(*from, *to);
  if (!range) give_up(range.error());
  fmt::print("loading the range {:.0f} ms\n", 1000 * (processor_seconds() - begin));
  const double git_s = seconds_of("git -C '" + directory + "' rev-list --bisect " + to->hex + " ^" +
                                  from->hex + " > /dev/null");
  return {std::move(*range), git_s};
}

}  // namespace

int main(int argc, char** argv) {
  const bool from_repository = argc == 5 && std::string(argv[1]) == "--repo";
  const Subject subject = from_repository ? real(argv[2], argv[3], argv[4]) : made_up(argc, argv);
  const Range& range = subject.range;
  const auto merges = std::count_if(range.parents.begin(), range.parents.end(),
                                    [](const auto& parents) { return parents.size() > 1; });
  fmt::print("{} commits, {:.1f} % merges\n", range.candidates(),
             100.0 * static_cast<double>(merges) / static_cast<double>(range.candidates()));

  const double begin = processor_seconds();
  const bisect::Graph graph(range);
  const auto strategy = bisect::make_posterior(graph);
  fmt::print("graph and classes {:.0f} ms\n", 1000 * (processor_seconds() - begin));

  // A change so small that the search takes all the boots it may.
  test::WorldOptions options;
  options.effect = 0.04;
  options.samples = 9;
  test::BisectWorld world(options, graph, 4);
  bisect::Evidence evidence;
  std::vector<double> took;
  while (evidence.boots.size() < 150) {
    const double asked = processor_seconds();
    const bisect::Action action = strategy->next(evidence);
    took.push_back(processor_seconds() - asked);
    if (!std::holds_alternative<bisect::BootNode>(action)) break;
    const bisect::Node node = std::get<bisect::BootNode>(action).node;
    if (std::find(evidence.built.begin(), evidence.built.end(), node) == evidence.built.end()) {
      world.build(node);
      evidence.built.push_back(node);
    }
    const double y = world.boot(node);
    evidence.boots.push_back({node, node, y, world.now()});
  }
  const double last = took.back();
  std::sort(took.begin(), took.end());
  fmt::print(
      "next action: {} boots, {} builds; median {:.1f} ms, longest {:.1f} ms, last {:.1f} ms\n",
      evidence.boots.size(), evidence.built.size(), 1000 * took[took.size() / 2],
      1000 * took.back(), 1000 * last);
  const double again = processor_seconds();
  bisect::make_posterior(graph)->next(evidence);
  fmt::print("the same from nothing, as after a resume: {:.0f} ms\n",
             1000 * (processor_seconds() - again));
  fmt::print("memory at most {:.0f} MB\n", megabytes());
  fmt::print("git rev-list --bisect, once: {:.0f} ms\n", 1000 * subject.git_s);
}
