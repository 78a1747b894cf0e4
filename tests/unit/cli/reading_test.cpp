// The parts of the reading commands that are pure: dates and filters of runs, lists of kernels,
// configurations, people of a commit.
#include <gtest/gtest.h>

#include <ctime>

#include "cli/bisect_detail.h"
#include "cli/config_facts.h"
#include "cli/kernel_list.h"
#include "cli/run_list.h"

namespace bisect_run::cli {
namespace {

store::RunRecord run_of(const std::string& scenario, const std::string& kernel, double started) {
  store::RunRecord run;
  run.id = "20261130-141503-k3f9";
  run.request.scenario = scenario;
  run.request.kernels = {{kernel, {std::string(40, 'a')}, {}, "none"}};
  run.started_at = started;
  return run;
}

TEST(Runs, AreFilteredByScenarioKernelAndDay) {
  const double day = *midnight_of("2026-11-30");
  const std::vector runs{run_of("netns-scaling", "v6.1", day - 1),
                         run_of("interfaces", "v6.2", day),
                         run_of("interfaces", "v6.1+fix.patch", day + 86399)};
  const auto left = [&](const Arguments& arguments) { return filtered(runs, arguments)->size(); };
  EXPECT_EQ(left({}), 3u);
  Arguments by;
  by.scenario = "interfaces";
  EXPECT_EQ(left(by), 2u);
  by.kernel = "v6.1";
  EXPECT_EQ(left(by), 1u);
  by = {};
  by.kernel = "aaaa";
  EXPECT_EQ(left(by), 3u);
  by = {};
  by.since = "2026-11-30";
  EXPECT_EQ(left(by), 2u);
  by.until = "2026-11-30";
  EXPECT_EQ(left(by), 2u);
  by.since = "";
  by.until = "2026-11-29";
  EXPECT_EQ(left(by), 1u);
}

TEST(Runs, ADateIsADate) {
  for (const auto* wrong : {"", "yesterday", "2026-13-01", "2026-02-30", "2026-11-30x", "26"})
    EXPECT_FALSE(midnight_of(wrong)) << wrong;
  const auto epoch = static_cast<std::time_t>(*midnight_of("2026-11-30"));
  const std::tm* local = std::localtime(&epoch);
  EXPECT_EQ(local->tm_mday, 30);
  EXPECT_EQ(local->tm_hour, 0);
}

TEST(KernelList, OneALineWithComments) {
  EXPECT_EQ(specs_of("v6.1\n# no\n  v6.2@all  # yes\r\n\n"),
            (std::vector<std::string>{"v6.1", "v6.2@all"}));
}

TEST(Config, HzPreemptionAndDifferences) {
  const auto one = config_values(
      "CONFIG_HZ=250\nCONFIG_PREEMPT_VOLUNTARY=y\n# CONFIG_A is not set\n"
      "CONFIG_GCC_VERSION=120200\nCONFIG_SAME=\"x=y\"\n");
  const auto two =
      config_values("CONFIG_HZ=250\nCONFIG_PREEMPT=y\nCONFIG_A=y\nCONFIG_SAME=\"x=y\"\n");
  EXPECT_EQ(hz_of(one), "250");
  EXPECT_EQ(preemption_of(one), "PREEMPT_VOLUNTARY");
  EXPECT_EQ(preemption_of(two), "PREEMPT");
  EXPECT_EQ(preemption_of({}), "");
  const auto differences = differences_between(one, two);
  ASSERT_EQ(differences.size(), 3u);
  EXPECT_EQ(differences[0].symbol, "A");
  EXPECT_EQ(differences[0].first, "n");
  EXPECT_EQ(differences[0].second, "y");
}

TEST(People, ComeFromTheCommitAlone) {
  EXPECT_EQ(people_in("Author: A B <a@b.c>\n\nnet: a change\n\nSee x@y.z: it is <x@y.z>\n"
                      "Reported-by: C D <c@d.e>\nSigned-off-by: A B <a@b.c>\n"),
            (std::vector<std::string>{"A B <a@b.c>", "C D <c@d.e>"}));
}

}  // namespace
}  // namespace bisect_run::cli
