// Makes a results file of runs that never were, for the benchmarks and tests of the reports:
//   make_results DIRECTORY SAMPLES RUNS
// The first run is a bisect with a fifth of the samples, the second a comparison with another
// fifth, the last one a small bisect; markup stands in subjects and in a console.
// rooms: store
#include <fmt/format.h>

#include <cstdlib>
#include <exception>

#include "support/made_results.h"

int main(int argc, char** argv) {
  using namespace bisect_run;
  if (argc != 4) {
    fmt::print(stderr, "usage: make_results DIRECTORY SAMPLES RUNS\n");
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
