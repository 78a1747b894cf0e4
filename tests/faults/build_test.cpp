// Faults of builds: whom they are blamed on, and that nobody is left behind.

#include <sys/mount.h>

#include "faults/fault_test.h"
#include "integration/kernel/bench.h"
#include "kernel/isolation.h"

namespace bisect_run::test {
namespace {

namespace fs = std::filesystem;

/// Each of them with make as it is, and with make in namespaces of its own.
class FaultyBuild : public FaultTest, public testing::WithParamInterface<bool> {
 protected:
  /// Builds commit "a" and says how it ended.
  Result<Image> attempt() {
    injected();
    return bench_->build("a");
  }
  void expect(ErrorKind kind) {
    const auto image = attempt();
    ASSERT_FALSE(image);
    EXPECT_EQ(image.error().kind, kind) << image.error().message;
    survived();
  }
  void expect_recovery() {
    bench_->tree.no_hook();
    const auto image = bench_->build("a");
    ASSERT_TRUE(image) << image.error().message;
    resumed();
  }
  void TearDown() override {
    bench_.reset();  // it lies in TMPDIR
    FaultTest::TearDown();
  }
  void SetUp() override {
    FaultTest::SetUp();
    bench_ = std::make_unique<Bench>();
    if (!GetParam()) return;
    if (const auto can = kernel::Isolation::find("/usr/local/bin:/usr/bin:/bin"); !can)
      GTEST_SKIP() << can.error().message;
    bench_->isolate();
  }

  /// Whether a hook of a build that is at work has made this file in make's O=.
  bool in_out(const std::string& name) const {
    std::error_code ignored;
    for (fs::recursive_directory_iterator it(bench_->settings.cache / "objects", ignored), end;
         !ignored && it != end; it.increment(ignored))
      if (it->path().filename() == name) return true;
    return false;
  }

  std::unique_ptr<Bench> bench_;
};

TEST_P(FaultyBuild, AMakeThatHangsDeafToTermIsASkip) {
  bench_->tree.hook("trap '' TERM; (trap '' TERM; sleep 60) & sleep 60; sleep 60");
  bench_->settings.deadline_s = 1;
  expect(ErrorKind::skip_build);
  bench_->settings.deadline_s = 60;
  expect_recovery();
}

TEST_P(FaultyBuild, AMakeThatForksAwayAndHangsIsASkip) {
  bench_->tree.hook(
      "export O=$1; setsid sh -c 'trap \"\" TERM; touch $O/away; while :; do sleep 1; done' & "
      "while ! test -e $1/away; do sleep 0.01; done; sleep 60");
  bench_->settings.deadline_s = 3;
  expect(ErrorKind::skip_build);
  bench_->settings.deadline_s = 60;
  expect_recovery();
}

TEST_P(FaultyBuild, AKilledCompilerIsOurs) {
  bench_->tree.hook("sh -c 'kill -9 $$'");
  expect(ErrorKind::infra);
  bench_->tree.hook("echo 'gcc: fatal error: Killed signal terminated program cc1'; exit 1");
  expect(ErrorKind::infra);
  expect_recovery();
}

TEST_P(FaultyBuild, ADamagedObjectCacheIsBuiltAnew) {
  ASSERT_TRUE(bench_->build("b"));
  bench_->tree.hook("test ! -e $1/vmlinux || { echo 'ld: main.o: file not recognized'; exit 1; }");
  expect(ErrorKind::infra);
  const auto again = bench_->build("a");  // what the engine does next: from nothing
  EXPECT_TRUE(again) << again.error().message;
  resumed();
}

TEST_P(FaultyBuild, ADamagedImageIsBuiltAgain) {
  const auto image = bench_->build("a");
  ASSERT_TRUE(image);
  fs::resize_file(image->bzimage, fs::file_size(image->bzimage) / 2);
  const auto again = attempt();
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->cached);
  EXPECT_EQ(again->signature, image->signature);
  survived();
}

TEST_P(FaultyBuild, AKilledControllersSilentMakeIsEndedByTheNextController) {
  // It says nothing any more, so the closed pipe does not end it.
  bench_->tree.hook("touch $1/at-work; exec sleep 300");
  std::cout.flush();
  const pid_t controller = ::fork();
  if (controller == 0) {
    (void)bench_->build("a");
    ::_exit(0);
  }
  ASSERT_TRUE(eventually([&] { return in_out("at-work"); }));
  ::kill(controller, SIGKILL);
  ::waitpid(controller, nullptr, 0);
  injected();
  if (GetParam()) {  // then there is no need of a next one
    const bool alone = eventually([] {
      while (::waitpid(-1, nullptr, WNOHANG) > 0) {
      }
      return children().empty();
    });
    EXPECT_TRUE(alone) << "an isolated make outlived its controller";
  }
  bench_->settings.deadline_s = 20;  // so long would it wait for the lock
  expect_recovery();
  survived();
}

TEST_P(FaultyBuild, AnInterruptEndsTheWholeGroup) {
  bench_->tree.hook("(sleep 60) & sleep 60");
  injected();
  const auto image = bench_->build("a", "none", [&](double, std::string_view what) {
    if (what.starts_with("CC")) bench_->stop.request_stop();
  });
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().kind, ErrorKind::interrupted);
  survived();
  bench_->stop = {};
  expect_recovery();
}

TEST_P(FaultyBuild, AFullDiskIsOursAtTheBuildAndAtTheImage) {
  if (::geteuid() != 0) GTEST_SKIP() << "mounting needs root";
  const auto disk = work() / "disk";
  fs::create_directories(disk);
  ASSERT_EQ(::mount("none", disk.c_str(), "tmpfs", 0, "size=8m"), 0);
  const struct Unmount {
    fs::path place;
    ~Unmount() { ::umount2(place.c_str(), MNT_DETACH); }
  } unmount{disk};
  bench_->settings.cache = disk / "cache";
  bench_->tree.hook("head -c 20000000 /dev/zero > $1/big");
  expect(ErrorKind::infra);
  expect_recovery();
  bench_->tree.code("7");
  bench_->tree.write("init/main.c", read_file(bench_->tree.path() / "init/main.c") +
                                        "char ballast[3000000] = {1};\n");
  injected();
  const auto image = bench_->build("c");
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().kind, ErrorKind::infra) << image.error().message;
  survived();
}

INSTANTIATE_TEST_SUITE_P(, FaultyBuild, testing::Bool(),
                         [](const auto& isolated) { return isolated.param ? "Isolated" : "Open"; });

}  // namespace
}  // namespace bisect_run::test
