#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "lab/elf_libraries.h"
#include "lab/host_tsc.h"
#include "lab/initramfs.h"
#include "support/stand_in.h"
#include "support/temp_dir.h"

// The agent's own tests, inside a guest: its kernel has the devices that the machine's may lack.

namespace bisect_run::lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTests = BISECT_RUN_BUILD_DIR "/tests/integration_agent";
constexpr const char* kAgent = BISECT_RUN_BUILD_DIR "/guest-agent/bisect-agent";
// Those of devices; all but veth, which every machine has.
constexpr const char* kWhich = "*LinksTest*:*AggregateTest*-*_veth";
constexpr const char* kEnd = "tests in the guest ended with status ";

/// PID 1: what a distribution would have mounted, the tests, and a reset.
std::string init_script() {
  return std::string("#!/bin/sh\n") +
         "PATH=/bin\nexport PATH\n"
         "mount -t devtmpfs dev /dev\n"
         "mount -t proc proc /proc\n"
         "mount -t sysfs sys /sys\n"
         "mount -t tmpfs run /run\n" +
         kTests + " --gtest_color=no --gtest_filter='" + kWhich + "'\n" + "echo \"" + kEnd +
         "$?\"\n"
         "echo b > /proc/sysrq-trigger\n";
}

/// A program with its libraries, where the guest looks for it.
void add_program(const fs::path& program, const fs::path& place, std::vector<GuestFile>& files) {
  const auto libraries = libraries_of(program);
  ASSERT_TRUE(libraries) << libraries.error().message;
  files.push_back({place.relative_path().string(), S_IFREG | 0755, test::read_file(program)});
  for (const auto& library : *libraries)
    files.push_back({library.relative_path().string(), S_IFREG | 0755, test::read_file(library)});
}

fs::path installed(const char* name) {
  for (const char* directory : {"/usr/sbin", "/usr/bin", "/sbin", "/bin"})
    if (fs::exists(fs::path(directory) / name)) return fs::path(directory) / name;
  return name;
}

std::vector<GuestFile> guest() {
  std::vector<GuestFile> files{{"init", S_IFREG | 0755, init_script()},
                               {"dev/console", S_IFCHR | 0600, {}, 5, 1}};
  for (const char* directory : {"proc", "sys", "run", "tmp", "var", "etc"})
    files.push_back({directory, S_IFDIR | 0755, {}});
  for (const char* name : {"sh", "ip", "mount", "umount", "unshare", "cat", "sed", "awk", "ls",
                           "rm", "uname", "getconf", "true", "sysctl"})
    add_program(installed(name), fs::path("bin") / name, files);
  add_program(kTests, kTests, files);
  add_program(kAgent, kAgent, files);
  return files;
}

TEST(AgentInGuest, ItsTestsPassOnTheKernelOfTheDemo) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "a sanitized program does not fit the guest";
#endif
  const auto image = test::test_image();
  if (!image) GTEST_SKIP() << "BISECT_RUN_TEST_IMAGE names no directory with a kernel";
  if (!fs::exists(kTests) || !fs::exists(kAgent)) GTEST_SKIP() << "integration_agent is not built";
  test::TempDir work;
  auto files = guest();
  ASSERT_FALSE(HasFatalFailure());
  const auto archive = pack(std::move(files));
  ASSERT_TRUE(archive) << archive.error().message;
  test::write_file(work / "initramfs", *archive);
  const auto khz = host_tsc_khz();  // under load a guest cannot find out by itself
  const std::string clock =
      khz ? "tsc=reliable tsc_early_khz=" + std::to_string(*khz) : std::string();
  const std::string said = test::output_of(
      "timeout 540 qemu-system-x86_64 -accel tcg -cpu qemu64 -smp 2,sockets=2 -m 768 -no-reboot"
      " -nodefaults -display none -serial stdio -kernel '" +
      image->bzimage.string() + "' -initrd '" + (work / "initramfs").string() +
      "' -append 'console=ttyS0 quiet panic=-1 mitigations=off " + clock + "' </dev/null 2>&1");
  EXPECT_NE(said.find(std::string(kEnd) + "0"), std::string::npos) << said;
  for (const char* test : {"LinksTest.AreDeletedAsAGroup/process_dummy",
                           "LinksTest.AParentThatVanishesIsNamed/fork_macvlan",
                           "AggregateTest.SendsThroughItsPorts/team_active_backup"})
    EXPECT_NE(said.find(std::string("OK ] Kinds/") + test), std::string::npos) << test;
  EXPECT_EQ(said.find("no devices of kind"), std::string::npos)
      << "this kernel has them all; was one skipped?\n"
      << said;
}

}  // namespace
}  // namespace bisect_run::lab
