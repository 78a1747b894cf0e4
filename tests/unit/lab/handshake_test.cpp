#include "lab/handshake.h"

#include <gtest/gtest.h>

namespace bisect_run::lab {
namespace {

using Cpus = std::set<int>;

TEST(CpuList, FormsOfTheKernelsLog) {
  EXPECT_EQ(parse_cpu_list("", 4), Cpus{});
  EXPECT_EQ(parse_cpu_list("(none)", 4), Cpus{});
  EXPECT_EQ(parse_cpu_list("(none).", 4), Cpus{});
  EXPECT_EQ(parse_cpu_list("0.", 4), (Cpus{0}));
  EXPECT_EQ(parse_cpu_list("0-3.", 4), (Cpus{0, 1, 2, 3}));
  EXPECT_EQ(parse_cpu_list("0-1,3", 4), (Cpus{0, 1, 3}));
  EXPECT_EQ(parse_cpu_list("0-255", 2), (Cpus{0, 1}));
}

TEST(CpuList, WhatIsNone) {
  for (const char* bad : {"x", "1-", "-1", "3-1", "1,,2", "1,", "0-2-3", "99999999999999"})
    EXPECT_FALSE(parse_cpu_list(bad, 4)) << bad;
}

struct OffloadCase {
  const char *wanted, *shown;
  bool proven;
};

class Offload : public ::testing::TestWithParam<OffloadCase> {};

TEST_P(Offload, C12IsProvenByTheLogOnly) {
  wire::Hello hello;
  hello.build_id = "b";
  hello.cpus = 4;
  hello.offloaded = GetParam().shown;
  const auto ending = check_handshake(hello, {"b", "", GetParam().wanted, "", 4});
  EXPECT_EQ(!ending, GetParam().proven);
  EXPECT_EQ(ending.value_or(Ending{BootOutcome::variant_lost, {}}).outcome,
            BootOutcome::variant_lost);
}

INSTANTIATE_TEST_SUITE_P(
    Table, Offload,
    ::testing::Values(OffloadCase{"none", "", true}, OffloadCase{"", "(none)", true},
                      OffloadCase{"none", "0", false}, OffloadCase{"0", "0.", true},
                      OffloadCase{"0", "0-3", false}, OffloadCase{"0", "", false},
                      OffloadCase{"all", "0-3", true}, OffloadCase{"all", "0-255", true},
                      OffloadCase{"all", "1-3", false}, OffloadCase{"all", "", false},
                      OffloadCase{"all-but-0", "1-3", true}, OffloadCase{"all-but-0", "0-3", false},
                      OffloadCase{"all", "rubbish", false}));

TEST(Handshake, C12AllButCpu0OfOneCpuIsNoVariant) {
  wire::Hello hello;
  hello.build_id = "b";
  hello.cpus = 1;
  const auto ending = check_handshake(hello, {"b", "", "all-but-0", "", 1});
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->outcome, BootOutcome::variant_lost);
  EXPECT_NE(ending->reason.find("no other CPU"), std::string::npos) << ending->reason;
}

TEST(Handshake, C20EachDifferenceIsNamed) {
  const Proof proof{"build", "config", "", "agent", 2};
  wire::Hello good;
  good.build_id = "build";
  good.config_digest = "config";
  good.agent_digest = "agent";
  good.cpus = 2;
  EXPECT_FALSE(check_handshake(good, proof));

  const auto outcome = [&](auto change) {
    wire::Hello hello = good;
    change(hello);
    const auto ending = check_handshake(hello, proof);
    return ending ? ending->outcome : BootOutcome::complete;
  };
  EXPECT_EQ(outcome([](auto& it) { it.build_id = ""; }), BootOutcome::wrong_kernel);
  EXPECT_EQ(outcome([](auto& it) { it.build_id = "other"; }), BootOutcome::wrong_kernel);
  EXPECT_EQ(outcome([](auto& it) { it.config_digest = "other"; }), BootOutcome::wrong_kernel);
  EXPECT_EQ(outcome([](auto& it) { it.config_digest = ""; }), BootOutcome::complete);
  EXPECT_EQ(outcome([](auto& it) { it.cpus = 1; }), BootOutcome::wrong_kernel);
  EXPECT_EQ(outcome([](auto& it) { it.agent_digest = "other"; }), BootOutcome::protocol);
  EXPECT_EQ(outcome([](auto& it) { it.protocol = 99; }), BootOutcome::protocol);
}

TEST(Handshake, AnImageWithoutABuildIdProvesNothing) {
  wire::Hello hello;
  hello.cpus = 1;
  EXPECT_EQ(check_handshake(hello, {"", "", "", "", 1})->outcome, BootOutcome::wrong_kernel);
}

}  // namespace
}  // namespace bisect_run::lab
