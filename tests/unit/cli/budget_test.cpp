#include "cli/budget.h"

#include <gtest/gtest.h>

namespace bisect_run::cli {
namespace {

History boots_ending_at(std::initializer_list<double> times) {
  History history;
  for (const double time : times) {
    history.boots.emplace_back();
    history.boots.back().ended_at = time;
  }
  return history;
}

TEST(Budget, NothingRecordedIsNothingWorked) {
  EXPECT_EQ(worked_seconds({}, {}), 0);
}

TEST(Budget, TheTimeARunWasStoppedIsNotWork) {
  // Worked from 1 to 100, stopped until 5000, worked until 5060, stopped, taken up again at 9000.
  const std::vector<store::JournalLine> journal{{1, kSessionStage, ""}, {2, "build", "a"},
                                                {60, "boot", "a"},      {5000, kSessionStage, ""},
                                                {5001, "boot", "a"},    {9000, kSessionStage, ""}};
  EXPECT_EQ(worked_seconds(journal, boots_ending_at({100, 5060})), 99 + 60);
}

TEST(Budget, ABootThatIsRunningCountsFromItsJournalLine) {
  EXPECT_EQ(worked_seconds({{0, kSessionStage, ""}, {10, "boot", "a"}}, boots_ending_at({0})), 10);
}

}  // namespace
}  // namespace bisect_run::cli
