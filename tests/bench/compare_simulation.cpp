// How often a comparison is wrong, and how often it finds an effect, in simulated noise:
//   compare_simulation [RUNS]        (default 2000 a row)
// Three kernels and six metrics; the first two kernels are alike, the third is slower by the
// effect of the row. A run is wrong when any cell of the second kernel is called, or when a cell of
// the third is called the wrong way. The promise is at most 1 % of runs.
// rooms: engine
#include <fmt/format.h>

#include <cstdlib>

#include "support/compare_world.h"

int main(int argc, char** argv) {
  using namespace bisect_run::test;
  const int runs = argc > 1 ? std::atoi(argv[1]) : 2000;
  struct Row {
    const char* name;
    CompareNoise noise;
    double effect;
    int boots, most;
  };
  const CompareNoise usual;
  CompareNoise quiet, loud, bad, still;
  quiet.boot = 0.01, quiet.sample = 0.02;
  loud.boot = 0.03, loud.sample = 0.05;
  bad.bad_boots = 0.03;
  still.drift_8h = 0;
  const Row rows[] = {{"alike, usual noise", usual, 0, 3, 12},
                      {"alike, 3 boots each", usual, 0, 3, 3},
                      {"alike, 30 boots at most", usual, 0, 3, 30},
                      {"alike, little noise", quiet, 0, 3, 12},
                      {"alike, much noise", loud, 0, 3, 12},
                      {"alike, 3 % bad boots", bad, 0, 3, 12},
                      {"alike, no drift", still, 0, 3, 12},
                      {"5 % slower", usual, 0.05, 3, 12},
                      {"10 % slower", usual, 0.10, 3, 12},
                      {"twice as slow", usual, 0.69, 3, 12},
                      {"twice as slow, 3 boots each", usual, 0.69, 3, 3}};
  fmt::print("{:<28} {:>9} {:>14} {:>7}\n", "", "wrong %", "called slower %", "boots");
  for (const auto& row : rows) {
    int wrong = 0;
    double called = 0, boots = 0;
    for (int run = 0; run < runs; ++run) {
      const auto one = play_comparison(row.noise, 6, row.effect, row.boots, row.most,
                                       static_cast<std::uint64_t>(run) + 1);
      const bool about_c = row.effect == 0 && one.called_slower > 0;
      wrong += one.called_alike > 0 || one.called_faster > 0 || about_c ? 1 : 0;
      called += static_cast<double>(one.called_slower) / one.cells;
      boots += one.boots;
    }
    fmt::print("{:<28} {:>9.2f} {:>14.1f} {:>7.1f}\n", row.name, 100.0 * wrong / runs,
               100 * called / runs, boots / runs);
  }
}
