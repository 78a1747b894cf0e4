#include "workload_fixture.h"

namespace bisect_run::agent {
namespace {

using Names = std::set<std::string>;

std::string word(const char* text) {
  return text;
}

/// The kind is the parameter's second half: `fork/veth`.
class LinksTest : public WorkloadTest {
 protected:
  void SetUp() override {
    WorkloadTest::SetUp();
    need_kind(kind());
  }
  static std::string mode() { return GetParam().substr(0, GetParam().find('/')); }
  static std::string kind() { return GetParam().substr(GetParam().find('/') + 1); }
  static bool stacked() { return kind() == "macvlan" || kind() == "vlan"; }

  static wire::Step add(bool up = false) {
    wire::Step step{"link_add",
                    {{"kind", kind()}, {"prefix", word("t")}, {"peer", word("u")}, {"up", up}}};
    if (stacked()) step.parameters["parent"] = word("par0");
    return step;
  }
  static std::vector<wire::Step> setup() {
    if (!stacked()) return {};
    return {{"link_add", {{"kind", word("dummy")}, {"prefix", word("par")}, {"up", true}}}};
  }
  static Names with_parent(Names names) {
    names.insert("lo");
    if (stacked()) names.insert("par0");
    return names;
  }
  static wire::Step on_t(const char* op) { return {op, {{"prefix", word("t")}}}; }
};

INSTANTIATE_TEST_SUITE_P(Kinds, LinksTest,
                         testing::Values("process/veth", "fork/veth", "direct/veth",
                                         "process/dummy", "fork/dummy", "direct/dummy",
                                         "process/macvlan", "fork/macvlan", "direct/macvlan",
                                         "process/vlan", "fork/vlan", "direct/vlan"),
                         name_of_parameter);

TEST_P(LinksTest, AreMadeWithTheRightKindAndNothingElse) {
  isolated([] {
    LookingTaker taker([] {
      Names expected{"t0", "t1", "t2"};
      if (kind() == "veth") expected.insert({"u0", "u1", "u2"});
      EXPECT_EQ(link_names(), with_parent(expected));
      const auto detail = nlohmann::json::parse(test::output_of("ip -j -d link show t2"))[0];
      EXPECT_EQ(detail.at("linkinfo").at("info_kind"), kind());
      if (kind() == "vlan") {
        EXPECT_EQ(detail.at("linkinfo").at("info_data").at("id"), 3);
      }
      EXPECT_EQ(test::output_of("ip link show t2").find(",UP"), std::string::npos);
    });
    const Outcome done = run_here(request(mode(), {add()}, 3, setup()), taker);
    EXPECT_TRUE(done) << done.error().reason;
    EXPECT_EQ(taker.samples.size(), 3U);
  });
}

TEST_P(LinksTest, UpAndAddressed) {
  isolated([] {
    LookingTaker taker([] {
      EXPECT_NE(test::output_of("ip link show t1").find(",UP"), std::string::npos);
      EXPECT_EQ(test::output_of("ip -o -4 addr show dev t1 | awk '{print $4}'"), "10.0.1.1/24\n");
    });
    std::vector<wire::Step> each{add(true), on_t("address_add")};
    if (kind() == "veth") each.push_back({"link_up", {{"prefix", word("u")}}});
    const Outcome done = run_here(request(mode(), each, 2, setup()), taker);
    EXPECT_TRUE(done) << done.error().reason;
    EXPECT_FALSE(taker.samples.empty());
  });
}

TEST_P(LinksTest, AreDeletedOneByOne) {
  isolated([] {
    int looks = 0;
    LookingTaker taker([&] {
      if (++looks == 2) {
        EXPECT_EQ(link_names(), with_parent({}));
      }
    });
    wire::RunWorkload run = request(mode(), {add()}, 3, setup());
    run.workload.loops.push_back(run.workload.loops[0]);
    run.workload.loops[1].metric = "delete";
    run.workload.loops[1].each = {on_t("link_delete")};
    const Outcome done = run_here(run, taker);
    EXPECT_TRUE(done) << done.error().reason;
    EXPECT_EQ(looks, 2);
  });
}

TEST_P(LinksTest, AreDeletedAsAGroup) {
  isolated([] {
    int looks = 0;
    LookingTaker taker([&] {
      if (++looks == 2) {
        EXPECT_EQ(link_names(), with_parent({}));
      }
    });
    wire::Step grouped = add();
    grouped.parameters["group"] = std::int64_t{7};
    wire::RunWorkload run = request(mode(), {grouped}, 3, setup());
    run.workload.loops.push_back({.metric = "delete",
                                  .marks = {},
                                  .count = 1,
                                  .each = {{"link_delete_group", {{"group", std::int64_t{7}}}}}});
    const Outcome done = run_here(run, taker);
    EXPECT_TRUE(done) << done.error().reason;
    EXPECT_EQ(looks, 2);
  });
}

TEST_P(LinksTest, ANameThatIsTakenLeavesNothing) {
  isolated([] {
    LookingTaker taker;
    const Outcome done = run_here(request(mode(), {add(), add()}, 3, setup()), taker);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().op, "link_add");
    EXPECT_NE(done.error().reason.find("File exists"), std::string::npos) << done.error().reason;
  });
}

TEST_P(LinksTest, AParentThatVanishesIsNamed) {
  if (!stacked()) GTEST_SKIP() << "a device without one below it";
  isolated([] {
    LookingTaker taker([] { test::output_of("ip link delete dev par0"); });
    wire::RunWorkload run = request(mode(), {add()}, 0, setup());
    run.workload.loops[0].marks = {3, 6};
    const Outcome done = run_here(run, taker);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().op, "link_add");
    EXPECT_FALSE(done.error().unavailable);
    EXPECT_NE(done.error().reason.find("the device below it, par0, has vanished"),
              std::string::npos)
        << done.error().reason;
    EXPECT_EQ(taker.samples.size(), 3U) << "what was measured before is kept";
  });
}

class BadLinksTest : public WorkloadTest {};

TEST_F(BadLinksTest, AParentIsNeededAndMustBeThere) {
  isolated([] {
    LookingTaker taker;
    wire::Step vlan{"link_add", {{"kind", word("vlan")}}};
    const Outcome none = run_here(request("direct", {vlan}, 1), taker);
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().reason.find("needs the parameter 'parent'"), std::string::npos);
    vlan.parameters["parent"] = word("gone0");
    const Outcome gone = run_here(request("direct", {vlan}, 1), taker);
    ASSERT_FALSE(gone);
    EXPECT_NE(gone.error().reason.find("finding gone0: No such device"), std::string::npos)
        << gone.error().reason;
  });
}

TEST_F(BadLinksTest, AKindThatTheKernelLacksIsUnavailable) {
  if (can_make("dummy")) GTEST_SKIP() << "this kernel has dummies";
  isolated([] {
    for (const char* mode : {"direct", "fork", "process"}) {
      LookingTaker taker;
      const Outcome done = run_here(request(mode, {{"link_add", {}}}, 1), taker);
      ASSERT_FALSE(done);
      EXPECT_TRUE(done.error().unavailable) << mode;
      EXPECT_NE(done.error().reason.find("modprobe dummy numdummies=0"), std::string::npos)
          << done.error().reason;
    }
  });
}

}  // namespace
}  // namespace bisect_run::agent
