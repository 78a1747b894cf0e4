#include "kernel/cache_budget.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <thread>

#include "kernel/image_cache.h"
#include "model/unique_fd.h"
#include "support/temp_dir.h"

namespace bisect_run::kernel {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t kMega = 1'000'000;

class Caches : public ::testing::Test {
 protected:
  /// A file of about `megabytes` whose bytes really lie on the disk.
  void fill(const fs::path& file, std::size_t megabytes) const {
    test::write_file(dir_ / file, std::string(megabytes * kMega, 'x'));
  }
  /// Used that many hours ago.
  void used(const fs::path& stamp, int hours_ago) const {
    timespec times[2] = {};
    times[0].tv_nsec = UTIME_OMIT;
    times[1].tv_sec = ::time(nullptr) - hours_ago * 3600;
    ASSERT_EQ(::utimensat(AT_FDCWD, (dir_ / stamp).c_str(), times, 0), 0) << stamp;
  }
  void image(const std::string& key, std::size_t megabytes, int hours_ago) const {
    fill(fs::path("images") / key / "bzImage", megabytes);
    used(fs::path("images") / key, hours_ago);
  }
  void locked_directory(const fs::path& name, const fs::path& content, std::size_t megabytes,
                        int hours_ago) const {
    fill(name / content, megabytes);
    test::write_file(dir_ / name / "lock", "");
    used(name / "lock", hours_ago);
  }
  UniqueFd lock(const fs::path& file) const {
    UniqueFd fd(::open((dir_ / file).c_str(), O_RDWR | O_CLOEXEC));
    EXPECT_EQ(::flock(fd.get(), LOCK_EX | LOCK_NB), 0);
    return fd;
  }
  CacheBudget budget(std::uint64_t megabytes, std::vector<fs::path> copies = {}) const {
    return {dir_.path(), megabytes * kMega, std::move(copies)};
  }
  bool there(const fs::path& name) const { return fs::exists(dir_ / name); }

  test::TempDir dir_;
};

TEST_F(Caches, C21TheLeastRecentlyUsedGoesFirstWhateverItIs) {
  image("aa", 2, 50);
  locked_directory("objects/gcc/one", "out/vmlinux", 4, 40);
  locked_directory("trees/t", "tree/Makefile", 3, 30);
  fill("logs/aa.log", 1);
  used("logs/aa.log", 20);
  image("bb", 2, 10);
  auto caches = budget(7);
  EXPECT_GT(caches.bytes(), 12 * kMega);
  const auto freed = caches.keep_within();
  EXPECT_EQ(freed.entries, 2);
  EXPECT_GT(freed.bytes, 6 * kMega);
  EXPECT_FALSE(there("images/aa"));
  EXPECT_FALSE(there("objects/gcc/one/out"));
  EXPECT_TRUE(there("trees/t/tree/Makefile"));
  EXPECT_TRUE(there("logs/aa.log"));
  EXPECT_TRUE(there("images/bb/bzImage"));
  EXPECT_LE(caches.bytes(), 7 * kMega);
  EXPECT_EQ(caches.keep_within().entries, 0);
}

TEST_F(Caches, AnotherControllerKnowsTheSizesUntilAStampChanges) {
  locked_directory("trees/t", "tree/Makefile", 3, 30);
  const auto before = budget(100).bytes();
  fill("trees/t/tree/more", 4);
  const auto kept = budget(100).bytes();
  EXPECT_LT(kept, before + kMega);
  used("trees/t/lock", 29);
  EXPECT_GT(budget(100).bytes(), before + 3 * kMega);
}

TEST_F(Caches, ASizeIsNotKeptWhileSomebodyWrites) {
  locked_directory("objects/gcc/one", "out/vmlinux", 1, 30);
  {
    const auto make = lock("objects/gcc/one/lock");
    EXPECT_LT(budget(100).bytes(), 2 * kMega);
  }
  fill("objects/gcc/one/out/more", 4);
  EXPECT_GT(budget(100).bytes(), 4 * kMega);
}

TEST_F(Caches, ADamagedFileOfSizesOnlyCostsTime) {
  locked_directory("trees/t", "tree/Makefile", 3, 30);
  for (const auto* text : {"", "x", "1", "1 2", "-1 99999999999999999999999 /", "\n\n", "1 2 \n"}) {
    test::write_file(dir_ / "sizes", text);
    EXPECT_GT(budget(100).bytes(), 2 * kMega) << text;
    EXPECT_LT(budget(100).bytes(), 4 * kMega) << text;
  }
}

TEST_F(Caches, WithinTheirSizeNothingGoes) {
  image("aa", 2, 5000);
  locked_directory("objects/gcc/one", "out/vmlinux", 4, 4000);
  EXPECT_EQ(budget(100).keep_within().entries, 0);
}

TEST_F(Caches, WhatLivingControllersUseStays) {
  image("pinned", 3, 50);
  image("free", 3, 10);
  locked_directory("objects/gcc/busy", "out/vmlinux", 3, 60);
  locked_directory("trees/busy", "tree/Makefile", 3, 70);
  const auto make = lock("objects/gcc/busy/lock");
  {
    const auto tree = lock("trees/busy/lock");
    auto images = ImageCache::open(dir_ / "images").value();
    ASSERT_TRUE(images.pin("pinned"));
    EXPECT_FALSE(images.pin("nowhere"));
    used("images/pinned", 50);
    const auto freed = budget(1).keep_within();
    EXPECT_EQ(freed.entries, 1);
    EXPECT_FALSE(there("images/free"));
    EXPECT_TRUE(there("images/pinned/bzImage"));
    EXPECT_TRUE(there("objects/gcc/busy/out/vmlinux"));
    EXPECT_TRUE(there("trees/busy/tree/Makefile"));
  }
  // The owners of image and tree are gone, however they ended.
  EXPECT_EQ(budget(1).keep_within().entries, 2);
  EXPECT_FALSE(there("images/pinned"));
  EXPECT_FALSE(there("trees/busy/tree"));
  EXPECT_TRUE(there("objects/gcc/busy/out/vmlinux"));
}

TEST_F(Caches, APinIsAUse) {
  image("old", 2, 50);
  image("older", 2, 100);
  {
    auto images = ImageCache::open(dir_ / "images").value();
    ASSERT_TRUE(images.pin("older"));
  }
  budget(3).keep_within();
  EXPECT_FALSE(there("images/old"));
  EXPECT_TRUE(there("images/older"));
}

TEST_F(Caches, TheLockStaysForWhoeverWaitsAtIt) {
  locked_directory("objects/gcc/one", "out/vmlinux", 4, 40);
  test::write_file(dir_ / "objects/gcc/one/configured", "x");
  struct stat before{}, after{};
  ::stat((dir_ / "objects/gcc/one/lock").c_str(), &before);
  EXPECT_EQ(budget(1).keep_within().entries, 1);
  ASSERT_EQ(::stat((dir_ / "objects/gcc/one/lock").c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(std::distance(fs::directory_iterator(dir_ / "objects/gcc/one"), {}), 1);
}

TEST_F(Caches, WhatACrashLeftOfAnEvictionGoesWithTheNext) {
  locked_directory("trees/t", ".evicted-tree/Makefile", 4, 40);
  test::write_file(dir_ / "trees/t/bisect-run-tree", "ours");
  EXPECT_EQ(budget(1).keep_within().entries, 1);
  EXPECT_FALSE(there("trees/t/.evicted-tree"));
  EXPECT_TRUE(there("trees/t/bisect-run-tree"));
}

TEST_F(Caches, TheDemosHistoryStaysWhileAnyTreeIsInUse) {
  locked_directory("demo", "linux.git/pack", 4, 40);
  test::write_file(dir_ / "demo/finished", "key");
  locked_directory("trees/t", "tree/Makefile", 1, 10);
  {
    const auto tree = lock("trees/t/lock");
    budget(1).keep_within();
    EXPECT_TRUE(there("demo/linux.git/pack"));
    EXPECT_TRUE(there("demo/finished"));
  }
  budget(2).keep_within();
  EXPECT_FALSE(there("demo/linux.git"));
  EXPECT_FALSE(there("demo/finished"));
}

TEST_F(Caches, CopiesOfFinishedRunsCount) {
  test::TempDir results;
  const auto copy = results / "runs/1/initramfs-0.cpio";
  test::write_file(copy, std::string(2 * kMega, 'x'));
  auto caches = budget(1, {copy, results / "runs/2/gone"});
  EXPECT_GT(caches.bytes(), 19 * kMega / 10);
  EXPECT_EQ(caches.keep_within().entries, 1);
  EXPECT_FALSE(fs::exists(copy));
}

TEST_F(Caches, CcacheAndStrangersAreCountedAndLeftAlone) {
  fill("ccache/0/x", 3);
  fill("stranger/x", 3);
  fill("images/.unfinished-1-aa/bzImage", 3);
  auto caches = budget(1);
  EXPECT_EQ(caches.keep_within().entries, 0);
  EXPECT_GT(caches.bytes(), 29 * kMega / 10);
  EXPECT_LT(caches.bytes(), 4 * kMega);
  EXPECT_TRUE(there("ccache/0/x"));
  EXPECT_TRUE(there("stranger/x"));
  EXPECT_TRUE(there("images/.unfinished-1-aa/bzImage"));
}

TEST_F(Caches, ADirectoryThatWasUsedIsMeasuredAgain) {
  locked_directory("objects/gcc/one", "out/a.o", 1, 40);
  auto caches = budget(100);
  const auto before = caches.bytes();
  fill("objects/gcc/one/out/b.o", 2);
  used("objects/gcc/one/lock", 1);
  EXPECT_GT(caches.bytes(), before + 19 * kMega / 10);
}

TEST_F(Caches, RoomOnTheDiskIsMadeOnlyWhereItIsShort) {
  image("aa", 2, 50);
  EXPECT_EQ(budget(100).make_room_on_disk(1).entries, 0);
  EXPECT_EQ(budget(100).make_room_on_disk(std::uint64_t{1} << 62).entries, 1);
}

TEST_F(Caches, TheOutlookKnowsWhatIsThere) {
  auto outlook = space_outlook(dir_.path(), 20'000 * kMega, 10);
  EXPECT_GT(outlook.to_come, 1'000 * kMega);  // a source tree, and objects
  EXPECT_GT(outlook.free, 0U);
  image("aa", 2, 1);
  locked_directory("objects/gcc/one", "out/vmlinux", 4, 1);
  locked_directory("trees/t", "tree/Makefile", 3, 1);
  outlook = space_outlook(dir_.path(), 20'000 * kMega, 10);
  EXPECT_GE(outlook.to_come, 20 * kMega);
  EXPECT_LT(outlook.to_come, 30 * kMega);
  EXPECT_GT(outlook.held, 9 * kMega);
  EXPECT_NE(describe(outlook).find("to come; the caches hold"), std::string::npos);
  EXPECT_GT(space_outlook(dir_ / "not/there/yet", kMega, 1).free, 0U);
}

// Kernels that are built at once make room one after the other; the thread sanitizer looks at it.
TEST_F(Caches, SeveralBuildsMayMakeRoomAtOnce) {
  for (int i = 0; i < 8; ++i) image("i" + std::to_string(i), 1, 10 + i);
  auto caches = budget(3);
  int freed[2] = {};
  {
    std::jthread one([&] { freed[0] = caches.keep_within().entries; });
    std::jthread other([&] { freed[1] = caches.keep_within().entries; });
  }
  EXPECT_EQ(freed[0] + freed[1], 6);
  EXPECT_TRUE(there("images/i0"));
  EXPECT_TRUE(there("images/i1"));
  EXPECT_FALSE(there("images/i2"));
}

}  // namespace
}  // namespace bisect_run::kernel
