#include "cli/budget.h"

#include <gtest/gtest.h>

#include "cli/adapters.h"
#include "engine/bisection.h"
#include "model/try.h"
#include "support/fake_world.h"
#include "support/temp_dir.h"

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

/// Never has enough.
class Insatiable : public bisect::Strategy {
 public:
  bisect::Action next(const bisect::Evidence&) override { return bisect::BootNode{1, ""}; }
  bisect::Conclusion give_up(const bisect::Evidence&, const std::string& why) override {
    bisect::Conclusion conclusion;
    conclusion.kind = bisect::Conclusion::Kind::set;
    conclusion.nodes = {1, 2};
    conclusion.reason = why;
    return conclusion;
  }
  bisect::Assessment assess(const bisect::Evidence&, bisect::Node) override { return {}; }
  Outlook outlook(const bisect::Evidence&) override { return {}; }
};

struct Killed {};

/// A run on fakes, in which a build takes 10 s and a boot 5, and its real results file. Each
/// session is what a controller does of it.
class BudgetOfARun : public ::testing::Test {
 protected:
  Result<engine::Findings> session(double budget_s) {
    BR_TRY_ASSIGN(auto store, store::Store::open(dir_ / "results.db"));
    if (id_.empty()) {
      RunRequest request;
      request.kernels = {{"0", {"0"}, {}, "none"}, {"3", {"3"}, {}, "none"}};
      BR_TRY_ASSIGN(id_, store.begin_run(request, {}));
    } else {
      BR_TRY(store.claim(id_));
    }
    BR_TRY_ASSIGN(auto history, store.history(id_));
    RecordAdapter recorder(store, id_, world_);
    engine::Prober prober({world_, world_, recorder, world_, world_.observer}, std::move(history),
                          {});
    BR_TRY_ASSIGN(setup_.allowance.deadline, begin_session(store, id_, budget_s, prober));
    return engine::Bisection(setup_, std::make_unique<Insatiable>(), prober).run();
  }

  /// The controller dies as its build or boot number `count` begins.
  void kill_in(std::size_t count) {
    world_.before_each = [this, count] {
      if (world_.log.size() + 1 == count) throw Killed();
    };
  }

  double worked() const {
    const auto store = store::Store::open_read_only(dir_ / "results.db").value();
    return worked_seconds(store.journal(id_).value(), store.history(id_).value());
  }

  void SetUp() override {
    for (const auto* name : {"0", "1", "2", "3"}) {
      setup_.range.nodes.push_back({.oid = {name}, .subject = name});
      setup_.range.parents.push_back({});
    }
    setup_.range.boundary = 1;
    setup_.variant = "none";
    setup_.question = {.metric = "m"};
  }

  test::TempDir dir_;
  test::FakeWorld world_;
  engine::BisectionSetup setup_;
  std::string id_;
};

TEST_F(BudgetOfARun, IsSpentOnceHoweverOftenItIsKilled) {
  kill_in(9);  // its eighth boot: 10 s for the build and 35 for seven boots are worked
  EXPECT_THROW(static_cast<void>(session(100)), Killed);
  EXPECT_EQ(world_.seconds, 45);
  EXPECT_EQ(worked(), 45);
  world_.before_each = {};
  world_.seconds = 1000;
  world_.log.clear();

  const auto findings = session(100);
  ASSERT_TRUE(findings) << findings.error().message;
  // 55 s are left: 10 to have the kernel again, which no cache keeps here, and nine boots.
  EXPECT_EQ(world_.log.size(), 1U + 9U);
  EXPECT_EQ(world_.seconds, 1055);
  EXPECT_EQ(worked(), 100);
  EXPECT_TRUE(findings->out_of_time);
  EXPECT_EQ(findings->status, RunStatus::unanswered);
  EXPECT_EQ(findings->answer.kind, Answer::Kind::set);
  EXPECT_EQ(findings->answer.commits.size(), 2U);

  world_.seconds = 2000;
  world_.log.clear();
  ASSERT_TRUE(session(120));  // 20 s more than it had
  EXPECT_EQ(world_.log, (std::vector<std::string>{"build 1", "boot 1", "boot 1"}));
}

TEST_F(BudgetOfARun, IsOfNoUseWhereItIsSpentAlready) {
  ASSERT_TRUE(session(30));
  EXPECT_EQ(world_.seconds, 30);
  world_.seconds = 500;
  world_.log.clear();
  const auto findings = session(30);
  ASSERT_TRUE(findings) << findings.error().message;
  EXPECT_TRUE(world_.log.empty());
  EXPECT_TRUE(findings->out_of_time);
}

}  // namespace
}  // namespace bisect_run::cli
