#include "report/compare_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "examples.h"
#include "golden.h"
#include "report/styles.h"

namespace bisect_run::report {
namespace {

using test::compared;

TEST(Compare, RatiosAreOfGeometricMeansWithWelchIntervals) {
  const Cell base{{100, 121}, false}, cell{{10, 12.1}, false};
  EXPECT_NEAR(*centre(base), 110, 1e-9);
  const auto ratio = ratio_of(base, cell);
  ASSERT_TRUE(ratio && ratio->interval);
  EXPECT_NEAR(ratio->value, 0.1, 1e-12);
  EXPECT_NEAR(ratio->interval->low, 0.0559926, 1e-6);
  EXPECT_NEAR(ratio->interval->high, 0.1785949, 1e-6);
  EXPECT_FALSE(ratio_of(base, {{10}, false})->interval);
  EXPECT_FALSE(ratio_of(base, {}));
  EXPECT_FALSE(centre({}));
}

TEST(Compare, TimesPerItemTurnTheRatio) {
  const auto shown = as_shown(compared().series[0], Shown::ms_per_item);
  EXPECT_EQ(shown.metric.unit, "ms/item");
  EXPECT_EQ(shown.metric.better, stats::Better::lower);
  EXPECT_EQ(shown.rows[0].cells[0].boots[0], 10);  // 100 a second are 10 ms each
  EXPECT_NEAR(ratio_of(shown.rows[0].cells[0], shown.rows[0].cells[1])->value, 10, 1e-9);
  EXPECT_EQ(as_shown(compared().series[1], Shown::ms_per_item).metric.unit, "count");
}

TEST(Compare, JsonHasNullsForMissingCells) {
  const auto json = nlohmann::json::parse(compare_json(compared()));
  EXPECT_EQ(json["columns"][1]["kernel"], "v6.1");
  EXPECT_EQ(json["columns"][3]["boots"], 0);
  const auto& cells = json["series"][0]["rows"][0]["cells"];
  EXPECT_NEAR(cells[1]["ratio"].get<double>(), 0.1, 1e-12);
  EXPECT_NEAR(cells[1]["low"].get<double>(), 0.0559926, 1e-6);
  EXPECT_TRUE(cells[3]["value"].is_null());
  EXPECT_TRUE(cells[3]["ratio"].is_null());
  EXPECT_EQ(json["series"][1]["better"], "lower");
}

TEST(Tinoco, MarksAreRowsAndVariantsColumns) {
  const auto text = tinoco_style(compared());
  test::expect_plain(text);
  EXPECT_EQ(text,
            "add+exec, items/s (higher is better)\n"
            "         v6.1\n"
            "mark     none      all              off             zero\n"
            "  50   110.00    11.00 (-90%)    100.00 (-9%)          -\n"
            " 100    80.00    10.00 (-88%)     80.00 (+0%)          -\n"
            "\n"
            "cycles, count (lower is better)\n"
            "         v6.1\n"
            "mark     none      all              off             zero\n"
            "         5.00        -            10.00 (+100%)        -\n");
}

TEST(Tinoco, SaysTheCpusWhereTheyDiffer) {
  auto facts = compared();
  facts.columns[1].machine.cpus = 4;
  EXPECT_NE(tinoco_style(facts).find(
                "         v6.1\ncpus        2        4                2                2\nmark"),
            std::string::npos)
      << tinoco_style(facts);
}

// Harmonic means: 2/(1/100 + 1/121) = 109.50 and 10.95; 2/(1/40 + 1/160) = 64.00 against 80.
TEST(Mmtests, RatesHaveHarmonicMeansAndPositiveIsBetter) {
  const auto text = mmtests_style(compared());
  test::expect_plain(text);
  EXPECT_EQ(text,
            "                                              v6.1                      v6.1\n"
            "                                     none, 2 vCPUs              all, 2 vCPUs\n"
            "Hmean  add+exec-50               109.50 (   0.00%)          10.95 ( -90.00%)\n"
            "Hmean  add+exec-100               80.00 (   0.00%)          10.00 ( -87.50%)\n"
            "Amean  cycles                      5.00 (   0.00%)              -\n"
            "\n"
            "                                              v6.1                      v6.1\n"
            "                                      off, 2 vCPUs             zero, 2 vCPUs\n"
            "Hmean  add+exec-50               100.00 (  -8.68%)              -\n"
            "Hmean  add+exec-100               64.00 ( -20.00%)              -\n"
            "Amean  cycles                     10.00 (-100.00%)              -\n");
}

TEST(StyleHeading, SaysWhatWasMeasuredOnWhatAndWhatWasNot) {
  auto facts = compared();
  facts.columns.erase(facts.columns.begin(), facts.columns.begin() + 2);
  const auto text = style_heading(facts);
  test::expect_plain(text);
  EXPECT_EQ(text,
            "netns-scaling, mode fork, run 20261130-141503-k3f9\n"
            "   1  v6.1@off (aaaaaaaaaaaa), 2 vCPUs, 512 MiB, tcg: 2 boots\n"
            "   2  v6.1@zero (aaaaaaaaaaaa), 2 vCPUs, 512 MiB, tcg: 0 boots\n"
            "      not measured: CPU 0 cannot be offloaded in a tree without\n"
            "      RCU_NOCB_CPU_ZERO (3.8, 3.9)\n"
            "\n");
}

}  // namespace
}  // namespace bisect_run::report
