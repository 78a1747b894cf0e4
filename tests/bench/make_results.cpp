// Makes a results file of runs that never were, for the benchmarks and tests of the reports:
//   make_results DIRECTORY SAMPLES RUNS [kinds]
// The first run is a bisect with a fifth of the samples, the second a comparison with another
// fifth, the last one a small bisect; markup stands in subjects and in a console. With `kinds` a
// small run of every other kind and with every end comes before these.
// rooms: store
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <string_view>

#include "support/made_results.h"

namespace {

void make_kinds(bisect_run::test::ResultsMaker& maker) {
  using namespace bisect_run;
  constexpr std::int64_t kSmall = 1000;
  fmt::print("full {}\n", maker.bisect(kSmall, maker.full_answer()));
  auto set = maker.plain_answer();
  set.kind = Answer::Kind::set;
  set.commits.push_back(set.commits.front());
  set.effect.reset();
  fmt::print("set {}\n", maker.bisect(kSmall, set, RunStatus::unanswered));
  Answer refusal;
  refusal.reason = "both ends are alike";
  fmt::print("refused {}\n", maker.bisect(kSmall, refusal, RunStatus::refused));
  fmt::print("failed {}\n", maker.bisect(kSmall, std::nullopt, RunStatus::failed));
  fmt::print("running {}\n", maker.bisect(kSmall, std::nullopt, RunStatus::running));
  for (const auto kind : {RunKind::scenario, RunKind::calibrate, RunKind::judge})
    fmt::print("{} {}\n", to_string(kind),
               maker.compare(kSmall,
                             kind == RunKind::judge       ? 3
                             : kind == RunKind::calibrate ? 2
                                                          : 1,
                             kind));
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bisect_run;
  const bool kinds = argc == 5 && std::string_view(argv[4]) == "kinds";
  if (argc != 4 && !kinds) {
    fmt::print(stderr, "usage: make_results DIRECTORY SAMPLES RUNS [kinds]\n");
    return 2;
  }
  const auto samples = std::atoll(argv[2]);
  const auto runs = std::atoll(argv[3]);
  auto store = store::Store::open(std::filesystem::path(argv[1]) / "results.db");
  if (!store) {
    fmt::print(stderr, "{}\n", store.error().message);
    return 3;
  }
  try {
    test::ResultsMaker maker(*store);
    if (kinds) make_kinds(maker);
    fmt::print("bisect {}\n", maker.bisect(samples / 5));
    fmt::print("compare {}\n", maker.compare(samples / 5));
    for (long long run = 2; run + 1 < runs; ++run) {
      const auto share = samples * 3 / 5 / runs;
      run % 2 == 0 ? maker.bisect(share) : maker.compare(share);
    }
    fmt::print("small {}\n", maker.bisect(1000));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
  return 0;
}
