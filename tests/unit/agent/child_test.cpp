#include "child.h"

#include <csignal>

#include <gtest/gtest.h>

namespace bisect_run::agent {
namespace {

TEST(InChildTest, FaultComesBackWhole) {
  EXPECT_TRUE(in_child([]() -> Outcome { return {}; }));
  const Outcome failed = in_child([]() -> Outcome { return os_fault("setns", ENOSYS); });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().reason, "setns: Function not implemented");
  EXPECT_TRUE(failed.error().unavailable);
  const Outcome other = in_child([]() -> Outcome { return fault("plain"); });
  ASSERT_FALSE(other);
  EXPECT_FALSE(other.error().unavailable);
}

TEST(InChildTest, ChangesStayInTheChild) {
  int value = 1;
  EXPECT_TRUE(in_child([&]() -> Outcome {
    value = 2;
    return {};
  }));
  EXPECT_EQ(value, 1);
}

TEST(InChildTest, AKilledChildIsAFault) {
  const Outcome killed = in_child([]() -> Outcome {
    ::raise(SIGKILL);
    return {};
  });
  ASSERT_FALSE(killed);
  EXPECT_NE(killed.error().reason.find("signal 9"), std::string::npos);
  EXPECT_TRUE(in_child([]() -> Outcome { return {}; })) << "an old fault must not come back";
}

TEST(FaultTest, OutOfMemorySaysSo) {
  EXPECT_NE(os_fault("clone", ENOMEM).error().reason.find("out of memory"), std::string::npos);
}

}  // namespace
}  // namespace bisect_run::agent
