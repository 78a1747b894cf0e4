#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "lab/initramfs.h"
#include "support/stand_in.h"
#include "support/temp_dir.h"
#include "vm/host.h"
#include "vm/sweep.h"

extern char** environ;

namespace bisect_run::vm {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

HostSettings settings(const std::string& tag) {
  HostSettings it;
  it.run_tag = tag;
  it.capabilities_cache = BISECT_RUN_BUILD_DIR "/test-capabilities";
  return it;
}

Result<std::unique_ptr<Domain>> start_hanging(Host& host, const Image& image,
                                              const fs::path& work) {
  const auto archive = lab::initramfs(work, test::make_stand_in(work), "fork");
  if (!archive) return std::unexpected(archive.error());
  DomainSpec spec;
  spec.name = host.unique_name();
  spec.kernel = image.bzimage;
  spec.initrd = *archive;
  spec.cmdline = "console=ttyS0 stand_in=hang";
  spec.memory_mib = 128;
  return host.create(spec);
}

// Not a test by itself: the controller that the next one kills.
TEST(VmSweep, DISABLED_ControllerToBeKilled) {
  const fs::path work = std::getenv("BISECT_RUN_TEST_WORK");
  auto host = Host::connect(settings("victim"));
  ASSERT_TRUE(host) << host.error().message;
  auto domain = start_hanging(*host, *test::test_image(), work);
  ASSERT_TRUE(domain) << domain.error().message;
  test::write_file(work / "up", "up");
  std::this_thread::sleep_for(120s);
}

pid_t start_victim(const fs::path& work) {
  ::setenv("BISECT_RUN_TEST_WORK", work.c_str(), 1);
  std::string self = "/proc/self/exe", filter = "--gtest_filter=*DISABLED_ControllerToBeKilled",
              disabled = "--gtest_also_run_disabled_tests";
  char* argv[] = {self.data(), filter.data(), disabled.data(), nullptr};
  pid_t pid = -1;
  return ::posix_spawn(&pid, "/proc/self/exe", nullptr, nullptr, argv, environ) == 0 ? pid : -1;
}

TEST(VmSweep, C15AKilledControllersQemuGoesAndALivingOnesStays) {
  const auto image = test::test_image();
  if (!image) GTEST_SKIP() << "BISECT_RUN_TEST_IMAGE names no directory with a kernel";
  test::TempDir work;
  const pid_t victim = start_victim(work.path());
  ASSERT_GT(victim, 0);
  for (int i = 0; i < 600 && !fs::exists(work / "up"); ++i) std::this_thread::sleep_for(100ms);
  ASSERT_TRUE(fs::exists(work / "up"));

  // While it lives, another controller's sweep leaves it alone.
  ASSERT_TRUE(sweep_leftovers("/tmp"));
  ASSERT_EQ(test::qemus_named("bisect-run-victim"), 1);
  ASSERT_EQ(::kill(victim, SIGKILL), 0);
  ASSERT_EQ(::waitpid(victim, nullptr, 0), victim);
  ASSERT_EQ(test::qemus_named("bisect-run-victim"), 1);

  auto host = Host::connect(settings("sweeper"));
  ASSERT_TRUE(host) << host.error().message;
  EXPECT_EQ(test::qemus_named("bisect-run-victim"), 0);
  auto domain = start_hanging(*host, *image, work.path());
  ASSERT_TRUE(domain) << domain.error().message;
  ASSERT_TRUE(sweep_leftovers("/tmp"));
  EXPECT_EQ(test::qemus_named("bisect-run-sweeper"), 1);
  EXPECT_TRUE((*domain)->destroy());
  EXPECT_TRUE((*domain)->destroy());
  EXPECT_EQ(test::qemus_named("bisect-run-sweeper"), 0);
}

}  // namespace
}  // namespace bisect_run::vm
