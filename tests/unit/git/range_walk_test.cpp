#include "git/range_walk.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace bisect_run::git {
namespace {

/// A history in memory: commit n is named by its number.
struct History {
  std::vector<std::vector<int>> parents;
  std::vector<std::int64_t> times;
  int reads = 0;

  static RawId id(int number) {
    RawId raw{};
    raw[0] = static_cast<unsigned char>(number * 37);  // so that names are not in order
    raw[18] = static_cast<unsigned char>(number >> 8);
    raw[19] = static_cast<unsigned char>(number & 255);
    return raw;
  }
  static Oid oid(int number) { return Oid{to_hex(id(number))}; }

  Result<WalkedRange> walk(int good, int bad) { return walk_from({good}, bad); }

  Result<WalkedRange> walk_from(const std::vector<int>& good, int bad) {
    std::vector<RawId> ends;
    for (const int end : good) ends.push_back(id(end));
    return walk_range(ends, id(bad), [this](const RawId& raw) -> Result<CommitText> {
      ++reads;
      const auto number = static_cast<std::size_t>(raw[18] * 256 + raw[19]);
      if (number >= parents.size()) return fail(ErrorKind::infra, "missing");
      CommitText text;
      for (const int parent : parents[number]) text.parents.push_back(id(parent));
      text.commit_time = times[number];
      text.subject = std::to_string(number);
      return text;
    });
  }

  std::set<int> reach(int from) const {
    std::set<int> seen;
    std::vector<int> pending{from};
    while (!pending.empty()) {
      const int next = pending.back();
      pending.pop_back();
      if (!seen.insert(next).second) continue;
      for (const int parent : parents[static_cast<std::size_t>(next)]) pending.push_back(parent);
    }
    return seen;
  }
};

void expect_right(const History& history, const WalkedRange& walked, int good, int bad) {
  const std::set<int> from_good = history.reach(good), from_bad = history.reach(bad);
  ASSERT_EQ(walked.all_met(), from_bad.contains(good));
  if (!walked.all_met()) return;
  const Range& range = walked.range;
  ASSERT_EQ(range.nodes.size(), range.parents.size());
  EXPECT_EQ(range.nodes[range.good()].oid, History::oid(good));
  EXPECT_EQ(range.nodes[range.bad()].oid, History::oid(bad));
  std::set<int> inside, outside;
  for (std::uint32_t i = 0; i < range.nodes.size(); ++i) {
    const int number = std::stoi(range.nodes[i].subject);
    EXPECT_TRUE((i < range.boundary ? outside : inside).insert(number).second);
    const auto& wanted = history.parents[static_cast<std::size_t>(number)];
    ASSERT_EQ(range.nodes[i].parents.size(), wanted.size());
    EXPECT_EQ(range.parents[i].size(), i < range.boundary ? 0 : wanted.size());
    for (std::size_t k = 0; k < range.parents[i].size(); ++k) {
      EXPECT_LT(range.parents[i][k], i) << "parents come first";
      EXPECT_EQ(range.nodes[range.parents[i][k]].oid, History::oid(wanted[k]));
    }
  }
  std::set<int> candidates, boundary{good};
  for (const int number : from_bad)
    if (!from_good.contains(number)) candidates.insert(number);
  for (const int number : candidates)
    for (const int parent : history.parents[static_cast<std::size_t>(number)])
      if (!candidates.contains(parent)) boundary.insert(parent);
  EXPECT_EQ(inside, candidates);
  EXPECT_EQ(outside, boundary);
}

TEST(RangeWalk, OrdersAForkAndAMerge) {
  //    0 - 1 - 2 - 5
  //     \- 3 - 4 -/     good 1, bad 5
  History history{{{}, {0}, {1}, {0}, {3}, {2, 4}}, {0, 10, 40, 20, 30, 50}};
  const auto walked = history.walk(1, 5);
  ASSERT_TRUE(walked);
  std::string order;
  for (const Commit& commit : walked->range.nodes) order += commit.subject;
  EXPECT_EQ(order, "103425");
  EXPECT_EQ(walked->range.boundary, 2u);
  EXPECT_EQ(walked->range.candidates(), 4u);
}

TEST(RangeWalk, SeesWhenGoodIsNoAncestor) {
  History history{{{}, {0}, {0}}, {0, 1, 2}};
  EXPECT_FALSE(history.walk(1, 2)->all_met());
  EXPECT_FALSE(history.walk(1, 0)->all_met());
  EXPECT_TRUE(history.walk(0, 2)->all_met());
}

TEST(RangeWalk, PassesOnWhatIsMissing) {
  History history{{{}, {7}, {1}, {2}}, {0, 1, 2, 3}};
  const auto walked = history.walk(2, 3);
  ASSERT_FALSE(walked);
  EXPECT_EQ(walked.error().kind, ErrorKind::infra);
}

TEST(RangeWalk, ReadsEachCommitOnceAndNotTheWholePast) {
  History history;
  for (int i = 0; i < 10'000; ++i) {
    history.parents.push_back(i == 0 ? std::vector<int>{} : std::vector<int>{i - 1});
    history.times.push_back(1'000'000 + i * 1'000'000LL);
  }
  const auto walked = history.walk(9'000, 9'990);
  ASSERT_TRUE(walked);
  EXPECT_EQ(walked->range.candidates(), 990u);
  EXPECT_LT(history.reads, 990 + 1'100);
}

TEST(RangeWalk, SeveralGoodEndsTakeTheirAncestorsOut) {
  //    0 - 1 - 2 - 5 - 6
  //     \- 3 - 4 -/     good 1 and 4, bad 6
  History history{{{}, {0}, {1}, {0}, {3}, {2, 4}, {5}}, {0, 10, 40, 20, 30, 50, 60}};
  const auto walked = history.walk_from({1, 4}, 6);
  ASSERT_TRUE(walked);
  EXPECT_TRUE(walked->all_met());
  std::string order;
  for (const Commit& commit : walked->range.nodes) order += commit.subject;
  EXPECT_EQ(order, "14256");
  EXPECT_EQ(walked->range.boundary, 2u);
}

/// Brute force on random histories, half of them with clocks that tell nothing.
TEST(RangeWalk, AgreesWithReachability) {
  std::mt19937 random(20240601);
  const auto below = [&random](int n) { return std::uniform_int_distribution<>(0, n - 1)(random); };
  int ancestors = 0;
  for (int round = 0; round < 3000; ++round) {
    History history;
    const int size = 2 + below(40);
    for (int i = 0; i < size; ++i) {
      std::set<int> parents;
      if (i > 0 && below(20) != 0)
        for (int k = below(4) == 0 ? 2 + below(2) : 1; k > 0; --k)
          parents.insert(i - 1 - below(std::min(i, 6)));
      history.parents.emplace_back(parents.begin(), parents.end());
      history.times.push_back(round % 2 ? below(1000) : i);
    }
    const int good = below(size), bad = below(size);
    if (good == bad) continue;
    const auto walked = history.walk(good, bad);
    ASSERT_TRUE(walked);
    expect_right(history, *walked, good, bad);
    ancestors += walked->all_met();
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
  EXPECT_GT(ancestors, 500) << "the rounds must be worth something";
}

}  // namespace
}  // namespace bisect_run::git
