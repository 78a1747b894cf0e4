#pragma once

#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "isolation.h"
#include "modules.h"
#include "runner.h"
#include "support/fresh_namespaces.h"

namespace bisect_run::agent {

/// Keeps samples, and lets a test look at the kernel while a loop's objects exist.
class LookingTaker : public SampleTaker {
 public:
  explicit LookingTaker(std::function<void()> look = [] {}) : look_(std::move(look)) {}

  void take(const std::vector<wire::SampleMessage>& batch) override {
    samples.insert(samples.end(), batch.begin(), batch.end());
    look_();
  }

  std::vector<wire::SampleMessage> samples;

 private:
  std::function<void()> look_;
};

inline wire::RunWorkload request(std::string mode, std::vector<wire::Step> each, std::int64_t items,
                                 std::vector<wire::Step> setup = {}) {
  return {.id = 1,
          .mode = std::move(mode),
          .chunks = 3,
          .repetitions = 1,
          .workload = {
              .name = "test",
              .setup = std::move(setup),
              .loops = {{.metric = "m", .marks = {items}, .count = 0, .each = std::move(each)}},
              .teardown = {}}};
}

inline Outcome run_here(const wire::RunWorkload& what, SampleTaker& taker) {
  std::atomic<std::int64_t> items = 0;
  return run_workload(what, taker, items);
}

/// Names that `ip -j` prints: of named namespaces, or of devices (`place` as `-n ns0`).
inline std::set<std::string> names(const std::string& arguments, const char* field) {
  const std::string text = test::output_of("ip -j " + arguments);
  std::set<std::string> all;
  if (text.find('[') == std::string::npos) return all;  // ip prints nothing for nothing
  for (const auto& entry : nlohmann::json::parse(text)) all.insert(entry.at(field));
  return all;
}
inline std::set<std::string> netns_names() {
  return names("netns list", "name");
}
inline std::set<std::string> link_names(const std::string& place = "") {
  return names(place + " link show", "ifname");
}

/// Whether the kernel makes devices of a kind, tried by `ip` in a namespace of its own.
inline bool can_make(const std::string& kind) {
  const bool stacked = kind == "macvlan" || kind == "vlan";
  const std::string command = std::string(stacked ? "ip link add par0 type dummy && " : "") +
                              "ip link add " + (stacked ? "link par0 " : "") + "name probe type " +
                              kind + (kind == "vlan" ? " id 9" : "");
  return test::output_of("unshare -n sh -c '" + command + " && echo made'").find("made") !=
         std::string::npos;
}

/// A test whose body runs in namespaces of its own, with a private /run; skipped without root.
class WorkloadTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!test::may_make_namespaces()) GTEST_SKIP() << "needs root to make namespaces";
    if (test::output_of("ip -V").find("iproute2") == std::string::npos)
      GTEST_SKIP() << "needs the program ip, to look from outside";
  }

  /// Skips the test where the kernel makes no devices of a kind.
  void need_kind(const std::string& kind) {
    if (IsSkipped() || can_make(kind)) return;
    GTEST_SKIP() << "no devices of kind " << kind
                 << " on this kernel; where it is a module: " << module_command(kind);
  }

  void isolated(const std::function<void()>& body) {
    test::in_fresh_namespaces([&] {
      const Outcome settled = settle_in_namespaces({});
      ASSERT_TRUE(settled) << settled.error().reason;
      body();
      EXPECT_EQ(netns_names(), std::set<std::string>{}) << "left behind";
      EXPECT_EQ(link_names(), std::set<std::string>{"lo"}) << "left behind";
    });
  }
};

/// `fork/veth` as part of a test's name: fork_veth.
inline std::string name_of_parameter(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (c == '/' || c == '-') c = '_';
  return name;
}

inline const auto kEveryMode = testing::Values("process", "fork", "direct");

}  // namespace bisect_run::agent
