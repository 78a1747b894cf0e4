#include "operation.h"

#include <gtest/gtest.h>

#include "wire/operations.h"

namespace bisect_run::agent {
namespace {

Context context(Mode mode) {
  return {.mode = mode,
          .netlink = std::move(*Netlink::open()),
          .programs = std::move(*Programs::make()),
          .ip = "/nowhere/ip"};
}

// The table that validates scenarios and the table that runs them name the same operations.
TEST(OperationTest, EveryRowOfTheTableIsDispatched) {
  Context here = context(Mode::fork);
  for (const wire::OperationSpec& spec : wire::operations()) {
    wire::Step step{std::string(spec.name), {}};
    if (wire::complete(step)) continue;  // needs a parameter: its own test covers it
    const auto made = make_operation(step, here);
    if (!made) {
      EXPECT_EQ(made.error().reason.find("no operation"), std::string::npos) << spec.name;
    }
  }
  const auto none = make_operation({"no_such", {}}, here);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().reason.find("no operation 'no_such'"), std::string::npos);
}

TEST(OperationTest, ProcessModeWithoutIpIsUnavailable) {
  Context here = context(Mode::process);
  here.ip.clear();
  wire::Step step{"netns_add", {}};
  ASSERT_FALSE(wire::complete(step));
  const auto made = make_operation(step, here);
  ASSERT_FALSE(made);
  EXPECT_TRUE(made.error().unavailable);
  EXPECT_NE(made.error().reason.find("`ip`"), std::string::npos);
}

TEST(OperationTest, Numbered) {
  EXPECT_EQ(numbered("ns", 17), "ns17");
}

TEST(ProgramsTest, FailureCarriesStatusAndWords) {
  auto programs = Programs::make();
  ASSERT_TRUE(programs);
  EXPECT_TRUE(programs->run({"/bin/sh", "-c", "echo out; exit 0"}));
  const Outcome failed = programs->run({"/bin/sh", "-c", "echo broken >&2; exit 3"});
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().reason.find("exit status 3: broken"), std::string::npos)
      << failed.error().reason;
  const Outcome killed = programs->run({"/bin/sh", "-c", "kill -9 $$"});
  ASSERT_FALSE(killed);
  EXPECT_NE(killed.error().reason.find("killed by signal 9"), std::string::npos)
      << killed.error().reason;
  EXPECT_FALSE(programs->run({"/no/such/program"}));
}

TEST(ProgramsTest, ManyWordsDoNotBlock) {
  auto programs = Programs::make();
  ASSERT_TRUE(programs);
  const Outcome failed = programs->run({"/bin/sh", "-c", "head -c 300000 /dev/zero >&2; exit 1"});
  ASSERT_FALSE(failed);
  EXPECT_LT(failed.error().reason.size(), 1000U);
}

}  // namespace
}  // namespace bisect_run::agent
