#include "offload.h"

#include <gtest/gtest.h>

namespace bisect_run::agent {
namespace {

struct Row {
  const char* log;
  const char* list;
};

TEST(OffloadTest, ReadsTheLineOfEveryAge) {
  const Row rows[] = {
      // about 3.8 to 3.13
      {"<6>[    0.000000] \tExperimental no-CBs for all CPUs\n"
       "<6>[    0.000000] \tExperimental no-CBs CPUs: 0-3.\n<6>[    0.000000] NR_IRQS:4352\n",
       "0-3"},
      {"[    0.000000] \tExperimental no-CBs CPU 0\n[    0.000000] \tExperimental no-CBs CPUs: "
       "0.\n",
       "0"},
      // about 3.14 to 4.12
      {"Offload RCU callbacks from all CPUs\nOffload RCU callbacks from CPUs: 0-3.\n", "0-3"},
      // since
      {"6,61,0,-;rcu: \tOffload RCU callbacks from CPUs: 0-1.\n SUBSYSTEM=x\n6,62,0,-;next\n",
       "0-1"},
      {"rcu: \tOffload RCU callbacks from CPUs: (none).\n", "(none)"},
      {"rcu: \tOffload RCU callbacks from CPUs: 1,3-5.", "1,3-5"},
  };
  for (const Row& row : rows) EXPECT_EQ(offloaded_cpus(row.log), row.list) << row.log;
}

TEST(OffloadTest, NoLineIsEmpty) {
  EXPECT_EQ(offloaded_cpus(""), "");
  EXPECT_EQ(offloaded_cpus("rcu: Hierarchical RCU implementation.\n"), "");
  EXPECT_EQ(offloaded_cpus("Poll for callbacks from no-CBs CPUs.\n"), "");
}

}  // namespace
}  // namespace bisect_run::agent
