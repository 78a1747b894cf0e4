// What goes wrong with builds, and whom it is blamed on.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include <chrono>
#include <thread>

#include "bench.h"
#include "model/unique_fd.h"

namespace bisect_run::kernel {
namespace {

using test::Bench;

/// A small file system of our own; not there without the right to mount.
class SmallDisk {
 public:
  explicit SmallDisk(const std::string& size) {
    mounted_ = ::mount("none", dir_.path().c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(dir_.path().c_str(), MNT_DETACH);
  }
  bool there() const { return mounted_; }
  const std::filesystem::path& path() const { return dir_.path(); }

 private:
  test::TempDir dir_;
  bool mounted_ = false;
};

Error error_of(Bench& bench, const std::string& oid = "a") {
  const auto image = bench.build(oid);
  EXPECT_FALSE(image);
  return image ? Error{} : image.error();
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Failures, ObjectsOfAnotherTreeAreNotTakenForAFaultOfThisOne) {
  Bench bench;
  bench.tree.hook("touch $1/memmove.c");
  ASSERT_TRUE(bench.build("a"));
  bench.tree.code("1");
  bench.tree.hook(
      "test ! -e $1/memmove.c || { echo 'cc1: fatal error: memmove.c: gone'; exit 1; }");
  std::string told;
  const auto image = bench.build("b", "none", [&](double, std::string_view what) {
    if (what.starts_with("failed")) told = what;
  });
  EXPECT_TRUE(image) << image.error().message;
  EXPECT_EQ(told, "failed; once more, from nothing");
  EXPECT_EQ(bench.count("makes"), 3);
}

TEST(Failures, NeighboursThatFailAlikeAreBuiltFromNothingOnce) {
  Bench bench;
  ASSERT_TRUE(bench.build("a"));
  bench.tree.code("undeclared");
  error_of(bench, "b");
  EXPECT_EQ(bench.count("makes"), 3);  // upon a, and from nothing
  bench.tree.code("undeclared", "/* */");
  error_of(bench, "c");
  EXPECT_EQ(bench.count("makes"), 4);
  bench.tree.hook("echo 'x.c:1:1: error: another'; exit 1");
  error_of(bench, "d");
  EXPECT_EQ(bench.count("makes"), 6);
}

TEST(Failures, ABrokenTreeIsASkipWithItsFirstError) {
  Bench bench;
  bench.tree.code("undeclared");
  const auto error = error_of(bench);
  EXPECT_EQ(error.kind, ErrorKind::skip_build);
  EXPECT_TRUE(holds(error.message, "init/main.c:2:")) << error.message;
  EXPECT_TRUE(holds(error.message, "'undeclared' undeclared")) << error.message;
  EXPECT_TRUE(holds(error.detail, "'undeclared' undeclared"));
  const auto log = error.message.substr(error.message.find("(log: ") + 6);
  EXPECT_TRUE(holds(test::read_file(log.substr(0, log.size() - 1)), "undeclared"));
  // make ended by itself: what it left can be built upon.
  EXPECT_FALSE(std::filesystem::exists(bench.objects() / "building"));
  bench.tree.code("0");
  EXPECT_TRUE(bench.build("b"));
}

TEST(Failures, ABrokenKconfigIsASkip) {
  Bench bench;
  bench.tree.write("configure.awk", "BEGIN { print \"Kconfig:3: syntax error\"; exit 1 }");
  bench.tree.write("Makefile", "allnoconfig:\n\t@awk -f configure.awk\n");
  const auto error = error_of(bench);
  EXPECT_EQ(error.kind, ErrorKind::skip_build);
  EXPECT_TRUE(holds(error.message, "Kconfig:3: syntax error")) << error.message;
}

TEST(Failures, ATreeWithoutKernelIsASkip) {
  Bench bench;
  std::filesystem::remove(bench.tree.path() / "Kconfig");
  EXPECT_EQ(error_of(bench).kind, ErrorKind::skip_build);
}

TEST(Failures, AKilledCompilerIsOurs) {
  Bench bench;
  bench.tree.hook("echo 'gcc: fatal error: Killed signal terminated program cc1'; exit 1");
  const auto error = error_of(bench);
  EXPECT_EQ(error.kind, ErrorKind::infra);
  EXPECT_TRUE(holds(error.message, "memory")) << error.message;
  bench.tree.hook("sh -c 'kill -9 $$'");  // the shell of the rule reports it
  EXPECT_EQ(error_of(bench).kind, ErrorKind::infra);
  bench.tree.hook("kill -9 $(ps -o ppid= $PPID)");
  EXPECT_EQ(error_of(bench).kind, ErrorKind::infra);
}

TEST(Failures, AMissingProgramIsOursAndItsPackageIsNamed) {
  Bench bench;
  bench.tree.hook("echo '/bin/sh: 1: flex: not found'; exit 127");
  const auto error = error_of(bench);
  EXPECT_EQ(error.kind, ErrorKind::infra);
  EXPECT_TRUE(holds(error.message, "package flex"));
}

TEST(Failures, TheDeadlineIsASkip) {
  Bench bench;
  bench.tree.hook("sleep 60");
  bench.settings.deadline_s = 0.5;
  const auto error = error_of(bench);
  EXPECT_EQ(error.kind, ErrorKind::skip_build);
  EXPECT_TRUE(holds(error.message, "not ready after")) << error.message;
}

TEST(Failures, AMakeThatForksAwayLeavesNobodyBehind) {
  Bench bench;
  const auto pid_file = bench.settings.cache / "pid";
  bench.tree.hook("setsid sh -c 'echo $$ > " + pid_file.string() +
                  "; exec sleep 60' > /dev/null 2>&1 & while ! test -s " + pid_file.string() +
                  "; do sleep 0.01; done");
  ASSERT_TRUE(bench.build("a"));
  const auto number = test::read_file(pid_file);
  const auto stat = test::read_file("/proc/" + number.substr(0, number.size() - 1) + "/stat");
  EXPECT_TRUE(stat.empty() || holds(stat, ") Z ")) << stat;
  // It held the lock of the object directory: the next build does not wait for it.
  bench.settings.deadline_s = 5;
  bench.tree.no_hook();
  EXPECT_TRUE(bench.build("b"));
}

TEST(Failures, ADamagedObjectIsOursOnceAndTheTreesWhenItComesBack) {
  Bench bench;
  ASSERT_TRUE(bench.build("a"));
  // make takes the object for up to date; the linker knows better.
  bench.tree.hook("echo 'ld: init/built-in.a: member main.o: file truncated'; exit 1");
  const auto first = error_of(bench, "b");
  EXPECT_EQ(first.kind, ErrorKind::infra);
  EXPECT_TRUE(holds(first.message, "built anew")) << first.message;
  EXPECT_TRUE(std::filesystem::exists(bench.objects() / "building"));
  const auto second = error_of(bench, "b");  // from nothing
  EXPECT_EQ(second.kind, ErrorKind::skip_build) << second.message;
  bench.tree.no_hook();
  EXPECT_TRUE(bench.build("b"));
}

TEST(Failures, ADamagedCompilerCacheChangesNoImage) {
  Bench bench;
  const auto image = bench.build("a");
  ASSERT_TRUE(image);
  const auto ccache = bench.settings.cache / "ccache";
  int damaged = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(ccache)) {
    if (!entry.is_regular_file() || entry.path().extension() == ".conf") continue;
    auto bytes = test::read_file(entry.path());
    for (std::size_t i = bytes.size() / 4; i < bytes.size(); i += 7)
      bytes[i] = static_cast<char>(bytes[i] ^ 0x55);
    test::write_file(entry.path(), bytes);
    ++damaged;
  }
  if (damaged == 0) GTEST_SKIP() << "ccache is not installed";
  std::filesystem::remove_all(bench.settings.cache / "objects");
  std::filesystem::remove_all(bench.settings.cache / "images");
  const auto again = bench.build("a");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->signature, image->signature);
}

TEST(Failures, TheCompilerCacheKeepsToItsShare) {
  Bench bench;
  bench.settings.recipe.cache_bytes = 8'000'000'000;
  bench.tree.hook("env > $1/../environment");
  ASSERT_TRUE(bench.build("a"));
  EXPECT_TRUE(holds(test::read_file(bench.objects() / "environment"), "CCACHE_MAXSIZE=2000000k\n"));
}

TEST(Failures, CachesBeyondTheirSizeLoseWhatNobodyUses) {
  Bench bench;
  bench.settings.recipe.cache_bytes = 1;
  auto workshop = bench.open();
  const auto build = [&](const std::string& oid) {
    bench.tree.code(oid == "a" ? "1" : "2");
    return workshop.build(oid, "none", bench.checkout(), {}, {});
  };
  const auto first = build("a"), second = build("b");
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(std::filesystem::exists(first->bzimage)) << "this run may boot it again";
  EXPECT_TRUE(std::filesystem::exists(second->bzimage));
  auto later = bench.open();
  {
    [[maybe_unused]] const auto gone = std::move(workshop);
  }
  bench.tree.code("3");
  const auto third = later.build("c", "none", bench.checkout(), {}, {});
  ASSERT_TRUE(third);
  EXPECT_FALSE(std::filesystem::exists(first->bzimage));
  EXPECT_TRUE(std::filesystem::exists(third->bzimage));
}

TEST(Failures, AnInterruptStopsMakeAndLeavesAUsableDirectory) {
  Bench bench;
  bench.tree.hook("sleep 60");
  const auto image = bench.build("a", "none", [&](double, std::string_view what) {
    if (what.starts_with("CC")) bench.stop.request_stop();
  });
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().kind, ErrorKind::interrupted);
  EXPECT_FALSE(std::filesystem::exists(bench.objects() / "building"));
  EXPECT_EQ(error_of(bench).kind, ErrorKind::interrupted);  // asked again with the stop still on
  bench.tree.no_hook();
  bench.stop = {};
  EXPECT_TRUE(bench.build("a"));
}

TEST(Failures, AfterACrashInMakeNothingItLeftIsTrusted) {
  Bench bench;
  ASSERT_TRUE(bench.build("a"));
  test::write_file(bench.objects() / "building", "");
  test::write_file(bench.objects() / "out/half.o", "half");
  bench.tree.code("1");
  ASSERT_TRUE(bench.build("b"));
  EXPECT_FALSE(std::filesystem::exists(bench.objects() / "out/half.o"));
  EXPECT_FALSE(std::filesystem::exists(bench.objects() / "building"));
}

TEST(Failures, AControllerKilledInMakeIsFollowedByAnother) {
  Bench bench;
  const auto flag = bench.settings.cache / "at-work";
  // make outlives its controller until it has something to say, like any make.
  bench.tree.hook("echo half > $1/half.o; touch " + flag.string() +
                  "; while :; do echo '  CC      x'; sleep 0.02; done");
  const pid_t controller = ::fork();
  if (controller == 0) {
    (void)bench.build("a");
    ::_exit(0);
  }
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!std::filesystem::exists(flag) && std::chrono::steady_clock::now() < limit)
    std::this_thread::yield();
  ASSERT_TRUE(std::filesystem::exists(flag));
  ::kill(controller, SIGKILL);
  ::waitpid(controller, nullptr, 0);
  bench.tree.no_hook();
  const auto image = bench.build("a");
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_FALSE(image->cached);
  EXPECT_FALSE(std::filesystem::exists(bench.objects() / "out/half.o"));
}

TEST(Failures, ALockThatStaysIsNamed) {
  Bench bench;
  ASSERT_TRUE(bench.build("a"));
  const auto file = bench.objects() / "lock";
  const UniqueFd held(::open(file.c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(::flock(held.get(), LOCK_EX | LOCK_NB), 0);
  bench.settings.deadline_s = 0.2;
  const auto error = error_of(bench, "b");
  EXPECT_EQ(error.kind, ErrorKind::infra);
  EXPECT_TRUE(holds(error.message, file.string())) << error.message;

  bench.settings.deadline_s = 60;
  const auto image = bench.build("b", "none", [&](double, std::string_view what) {
    if (what.starts_with("wait")) bench.stop.request_stop();
  });
  EXPECT_EQ(image.error().kind, ErrorKind::interrupted);
}

TEST(Failures, ADamagedImageIsBuiltAgain) {
  for (const char* file : {"bzImage", "config", "manifest"}) {
    Bench bench;
    const auto image = bench.build("a");
    ASSERT_TRUE(image);
    const auto victim = image->bzimage.parent_path() / file;
    auto bytes = test::read_file(victim);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    test::write_file(victim, bytes);
    EXPECT_FALSE(bench.open().cached("a", "none")) << file;
    const auto again = bench.build("a");
    ASSERT_TRUE(again) << file;
    EXPECT_FALSE(again->cached) << file;
    EXPECT_EQ(again->signature, image->signature);
    EXPECT_TRUE(bench.open().cached("a", "none")) << file;
  }
}

TEST(Failures, AHalfWrittenImageIsNeverSeen) {
  Bench bench;
  const auto image = bench.build("a");
  ASSERT_TRUE(image);
  std::filesystem::remove(image->bzimage.parent_path() / "manifest");
  EXPECT_FALSE(bench.open().cached("a", "none"));
}

TEST(Failures, DamagedFactsOnlyCostACheckout) {
  Bench bench;
  ASSERT_TRUE(bench.build("a"));
  for (const auto& entry : std::filesystem::directory_iterator(bench.settings.cache / "facts"))
    std::filesystem::resize_file(entry.path(), 20);
  const auto again = bench.build("a");
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->cached);
  EXPECT_EQ(bench.checkouts, 2);
}

TEST(Failures, C21TooLittleSpaceIsSaidBeforeTheBuild) {
  Bench bench;
  bench.settings.free_bytes_needed = std::uint64_t{1} << 60;
  const auto error = error_of(bench);
  EXPECT_EQ(error.kind, ErrorKind::infra);
  EXPECT_TRUE(holds(error.message, "1073741824.0 GiB")) << error.message;
  EXPECT_TRUE(holds(error.message, bench.settings.cache.string())) << error.message;
  EXPECT_EQ(bench.count("makes"), 0);
}

TEST(Failures, C21ADiskThatFillsUpInTheMiddleIsOurs) {
  const SmallDisk disk("8m");
  if (!disk.there()) GTEST_SKIP() << "mounting a tmpfs needs root";
  Bench bench(disk.path() / "cache");
  bench.tree.hook("head -c 20000000 /dev/zero > $1/big");
  const auto error = error_of(bench);
  EXPECT_EQ(error.kind, ErrorKind::infra);
  EXPECT_TRUE(holds(error.message, "the disk is full")) << error.message;
  // Nothing of it is trusted afterwards, and with room it goes on by itself.
  bench.tree.no_hook();
  EXPECT_TRUE(bench.build("a"));
}

TEST(Failures, ADiskThatIsFullWithoutAWordIsOurs) {
  const SmallDisk disk("8m");
  if (!disk.there()) GTEST_SKIP() << "mounting a tmpfs needs root";
  Bench bench(disk.path() / "cache");
  bench.tree.hook("head -c 20000000 /dev/zero > $1/big 2>/dev/null; exit 1");
  EXPECT_EQ(error_of(bench).kind, ErrorKind::infra);
}

TEST(Failures, AnImageThatDoesNotFitLeavesNothing) {
  const SmallDisk disk("16m");
  if (!disk.there()) GTEST_SKIP() << "mounting a tmpfs needs root";
  Bench bench(disk.path() / "cache");
  bench.tree.hook("echo 'char ballast[9000000] = {1};' >> init/main.c");
  bench.tree.write("Makefile",
                   test::read_file(bench.tree.path() / "Makefile") + "\t@rm $(O)/main.o\n");
  const auto error = error_of(bench);
  EXPECT_EQ(error.kind, ErrorKind::infra) << error.message;
  const auto images = bench.settings.cache / "images";
  EXPECT_TRUE(std::filesystem::is_empty(images));
}

}  // namespace
}  // namespace bisect_run::kernel
