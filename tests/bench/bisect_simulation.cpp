// rooms: stats bisect engine
// Plays the decision strategies against each other in a simulated lab:
//   bisect_simulation --effect 0.05 --commits 1024 --runs 400 --samples 9
// --help lists options and strategies.

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bisect/posterior.h"
#include "bisect/three_way.h"
#include "support/bisect_contest.h"
#include "support/known_levels_strategies.h"
#include "support/midpoint_strategies.h"
#include "support/ported_world.h"

namespace {

using namespace bisect_run;

struct Options {
  test::WorldOptions world;
  int runs = 100;
  std::uint64_t seed = 1;
  std::vector<std::string> strategies{"A", "B3", "B5", "B10", "C", "Cc", "D", "E", "T", "F"};
  std::size_t ahead = 1;
  int most_boots = 450;
  int most_pairs = 40;
  bool json = false;
};

constexpr const char* kHelp =
    "options: --effect D --commits N --runs T --samples S --drift SD --bad-boots P\n"
    "  --layout SD --failures P --noise BOOT,SAMPLE --slow P --two-changes\n"
    "  --three-changes --fix-regress\n"
    "  --no-difference --dag --ahead K --most-boots N --most-pairs N\n"
    "  --strategy A,B10,F --seed N --json\n"
    "strategies:\n"
    "  A   one sample a step against the middle of the ends\n"
    "  Bk  the median of k boots a step (B3, B5, B10)\n"
    "  C   a sequential test of 2 to 20 boots a step\n"
    "  Cc  the same, and before each boot one of an end, against drift\n"
    "  D   a posterior that takes the levels of five boots an end for known\n"
    "  E   the same, and the machine's level is tracked by control boots\n"
    "  T   the three-way rule\n"
    "  F   the posterior, which is what decides\n"
    "  P   F through the engine and its ports; not among the default ones\n"
    "With --dag T, F and P only.\n";

[[noreturn]] void usage(const std::string& wrong) {
  fmt::print(stderr, "bisect_simulation: {}\n{}", wrong, kHelp);
  std::exit(2);
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts(1);
  for (char c : list)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const auto text = [&]() -> std::string {
      if (i + 1 >= argc) usage(name + " needs a value");
      return argv[++i];
    };
    const auto number = [&] {
      const std::string value = text();
      char* end = nullptr;
      const double parsed = std::strtod(value.c_str(), &end);
      if (value.empty() || *end != 0) usage(name + ": not a number: " + value);
      return parsed;
    };
    if (name == "--effect")
      options.world.effect = number();
    else if (name == "--commits")
      options.world.commits = static_cast<std::uint32_t>(number());
    else if (name == "--runs")
      options.runs = static_cast<int>(number());
    else if (name == "--samples")
      options.world.samples = static_cast<int>(number());
    else if (name == "--drift")
      options.world.drift = number();
    else if (name == "--bad-boots")
      options.world.bad_boots = number();
    else if (name == "--layout")
      options.world.layout = number();
    else if (name == "--failures")
      options.world.failures = number();
    else if (name == "--slow")
      options.world.slow_share = number();
    else if (name == "--noise") {
      const auto parts = split(text());
      if (parts.size() != 2) usage("--noise wants two numbers: of a boot, of a sample");
      options.world.boot_sd = std::atof(parts[0].c_str());
      options.world.sample_sd = std::atof(parts[1].c_str());
    } else if (name == "--two-changes")
      options.world.two_changes = true;
    else if (name == "--three-changes")
      options.world.three_changes = true;
    else if (name == "--fix-regress")
      options.world.fix_regress = true;
    else if (name == "--no-difference")
      options.world.effect = 0;
    else if (name == "--dag")
      options.world.dag = true;
    else if (name == "--ahead")
      options.ahead = static_cast<std::size_t>(number());
    else if (name == "--most-boots")
      options.most_boots = static_cast<int>(number());
    else if (name == "--most-pairs")
      options.most_pairs = static_cast<int>(number());
    else if (name == "--strategy")
      options.strategies = split(text());
    else if (name == "--seed")
      options.seed = static_cast<std::uint64_t>(number());
    else if (name == "--json")
      options.json = true;
    else if (name == "--help") {
      fmt::print("{}", kHelp);
      std::exit(0);
    } else
      usage("unknown option " + name);
  }
  return options;
}

test::RunResult run_one(const std::string& name, const Options& options, const Range& range,
                        const bisect::Graph& graph, std::uint64_t seed) {
  test::BisectWorld world(options.world, graph, seed);
  if (name == "T") return test::play(*bisect::make_three_way(graph), world);
  if (name == "F" || name == "P") {
    bisect::PosteriorSettings settings;
    settings.prices = {options.world.build_s, options.world.boot_s};
    settings.most_layouts = 7;
    settings.most_boots = options.most_boots;
    settings.most_pairs = options.most_pairs;
    if (name == "P")
      return test::play_engine(range, bisect::make_posterior(graph, settings), world, options.ahead,
                               6);
    return test::play(*bisect::make_posterior(graph, settings), world, options.ahead);
  }
  if (name == "A") return test::play_once(world, graph.bad());
  if (name == "C" || name == "Cc") return test::play_sequential(world, graph.bad(), name == "Cc");
  if (name == "D") return test::play_known_levels(world, graph);
  if (name == "E") return test::play_tracked_levels(world, graph);
  if (name.size() > 1 && name[0] == 'B')
    return test::play_repeated(world, graph.bad(), std::atoi(name.c_str() + 1));
  usage("unknown strategy " + name);
}

void print_row(const Options& options, const std::string& name, const test::Tally& tally,
               double took) {
  if (options.json) {
    fmt::print(
        "{{\"strategy\":\"{}\",\"runs\":{},\"right\":{:.2f},\"smaller\":{:.2f},\"wrong\":{:.2f},"
        "\"set\":{:.2f},"
        "\"undecided\":{:.2f},\"refused\":{:.2f},\"two_changes\":{:.2f},"
        "\"all_changes\":{:.2f},\"false_changes\":{:.2f},\"builds\":{:.2f},"
        "\"boots\":{:.2f},\"cost\":{:.1f},\"wall\":{:.1f},\"slowest_ms\":{:.2f}}}",
        name, tally.runs, tally.percent(tally.right), tally.percent(tally.smaller),
        tally.percent(tally.wrong), tally.percent(tally.set), tally.percent(tally.undecided),
        tally.percent(tally.refused), tally.percent(tally.flagged),
        tally.percent(tally.all_changes), tally.percent(tally.false_changes),
        tally.mean(tally.builds), tally.mean(tally.boots), tally.mean(tally.cost),
        tally.mean(tally.wall), 1000 * tally.slowest_s);
    return;
  }
  fmt::print(
      "{:<4} {:>6.1f} {:>7.1f} {:>6.1f} {:>6.1f} {:>6.1f} {:>6.1f} {:>6.1f} {:>6.1f} {:>6.1f} "
      "{:>7.1f} "
      "{:>7.1f} {:>8.0f} "
      "{:>8.0f} "
      "{:>8.2f} {:>7.1f}\n",
      name, tally.percent(tally.right), tally.percent(tally.smaller), tally.percent(tally.wrong),
      tally.percent(tally.set), tally.percent(tally.undecided), tally.percent(tally.refused),
      tally.percent(tally.flagged), tally.percent(tally.all_changes),
      tally.percent(tally.false_changes), tally.mean(tally.builds), tally.mean(tally.boots),
      tally.mean(tally.cost), tally.mean(tally.wall), 1000 * tally.slowest_s, took);
  std::fflush(stdout);
}

bool knows_merges(const std::string& name) {
  return name == "T" || name == "F" || name == "P";
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const test::WorldOptions& world = options.world;
  std::mt19937_64 shape(options.seed);
  const Range range =
      world.dag ? test::branching_range(shape, world.commits) : test::linear_range(world.commits);
  const bisect::Graph graph(range);
  if (options.json)
    fmt::print("{{\"effect\":{},\"commits\":{},\"samples\":{},\"seed\":{},\"rows\":[", world.effect,
               graph.size() - 1, world.samples, options.seed);
  else
    fmt::print(
        "effect {} commits {} samples {} drift {} layout {} bad boots {} failures {}{}{}{}, {} "
        "runs, seed {}\n"
        "      right smaller  wrong    set undec. refus. 2 chg.    all  false  builds   boots   "
        "cost s   "
        "wall s  slow ms "
        " took s\n",
        world.effect, graph.size() - 1, world.samples, world.drift, world.layout, world.bad_boots,
        world.failures,
        world.two_changes     ? ", two changes"
        : world.three_changes ? ", three changes"
                              : "",
        world.fix_regress ? ", fixed and regressed" : "", world.dag ? ", with merges" : "",
        options.runs, options.seed);
  bool first = true;
  for (const std::string& name : options.strategies) {
    if (world.dag && !knows_merges(name)) continue;
    const auto begin = std::chrono::steady_clock::now();
    test::Tally tally;
    for (int run = 0; run < options.runs; ++run)
      tally.add(run_one(name, options, range, graph,
                        options.seed * 1'000'003 + static_cast<std::uint64_t>(run)));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (options.json && !first) fmt::print(",");
    print_row(options, name, tally, took.count());
    first = false;
  }
  if (options.json) fmt::print("]}}\n");
}
