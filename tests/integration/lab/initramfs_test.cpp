#include "lab/initramfs.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "lab/elf_libraries.h"
#include "support/stand_in.h"
#include "support/temp_dir.h"

namespace bisect_run::lab {
namespace {

namespace fs = std::filesystem;
using test::output_of;
using test::TempDir;

TEST(Agent, C13NeedsNoLibraryAndNoNewKernel) {
  const std::string agent = BISECT_RUN_BUILD_DIR "/guest-agent/bisect-agent";
  if (!fs::exists(agent)) GTEST_SKIP() << "the agent is not built";
  if (output_of("nm " + agent + " 2> /dev/null | grep -cE ' __(a|t)san_init'") != "0")
    GTEST_SKIP() << "an agent with a sanitizer is linked as any program, for this machine only";
  EXPECT_EQ(output_of("readelf -lW " + agent + " | grep -E 'INTERP|DYNAMIC'"), "");
  // A libc that looks at the kernel's release would end with these words on 2.6.39.
  EXPECT_EQ(output_of("grep -c 'kernel too old' " + agent), "0");
}

TEST(Pack, SameFilesInAnyOrderGiveTheSameBytes) {
  const GuestFile one{"a/b/one", S_IFREG | 0644, "1"}, two{"two", S_IFREG | 0755, "22"};
  const auto first = pack({one, two}), second = pack({two, one});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, *second);
  EXPECT_NE(*first, *pack({one}));
}

TEST(Pack, IsWhatCpioUnderstands) {
  if (output_of("command -v cpio").empty()) GTEST_SKIP() << "cpio is not installed";
  TempDir directory;
  const auto bytes =
      pack({{"deep/er/file", S_IFREG | 0755, "text"}, {"dev/console", S_IFCHR | 0600, {}, 5, 1}});
  ASSERT_TRUE(bytes);
  test::write_file(directory / "a.cpio", *bytes);
  const auto list =
      output_of("cd '" + directory.path().string() + "' && TZ=UTC cpio -itvn < a.cpio 2>/dev/null");
  EXPECT_NE(list.find("drwxr-xr-x"), list.npos) << list;
  EXPECT_NE(list.find("-rwxr-xr-x   1 0        0               4 Jan  1  1970 deep/er/file"),
            list.npos)
      << list;
  EXPECT_NE(list.find("5,   1 Jan  1  1970 dev/console"), list.npos) << list;
}

// The loader itself is the second opinion.
TEST(LibrariesOf, AreThoseTheLoaderLists) {
  for (const std::string program : {"/bin/sh", "/usr/bin/ip"}) {
    if (!fs::exists(program)) continue;
    const auto found = libraries_of(program);
    ASSERT_TRUE(found) << found.error().message;
    std::set<std::string> names;
    for (const auto& path : *found) names.insert(path.filename());
    std::istringstream list(output_of("ldd " + program + " | sed -E 's/^[[:space:]]+//; s/ .*//'"));
    std::set<std::string> expected;
    for (std::string name; std::getline(list, name);)
      if (!name.starts_with("linux-vdso")) expected.insert(fs::path(name).filename());
    EXPECT_EQ(names, expected) << program;
  }
}

TEST(ReadElfNeeds, DamagedAndForeignFilesAreNone) {
  TempDir directory;
  test::write_file(directory / "text", "#!/bin/sh\n");
  EXPECT_FALSE(read_elf_needs(directory / "text"));
  EXPECT_FALSE(read_elf_needs(directory / "missing"));
  EXPECT_FALSE(read_elf_needs(directory.path()));
  const auto whole = test::read_file("/bin/sh");
  for (std::size_t size = 0; size < 2000; size += 7) {
    test::write_file(directory / "cut", whole.substr(0, size));
    (void)read_elf_needs(directory / "cut");
  }
}

TEST(Initramfs, IsMadeOnceAndNamedByItsContent) {
  TempDir directory;
  test::write_file(directory / "agent", "agent");
  const auto first = initramfs(directory / "work", directory / "agent", "fork");
  ASSERT_TRUE(first) << first.error().message;
  const auto written = fs::last_write_time(*first);
  EXPECT_EQ(*initramfs(directory / "work", directory / "agent", "direct"), *first);
  EXPECT_EQ(fs::last_write_time(*first), written);
  test::write_file(directory / "agent", "other");
  EXPECT_NE(*initramfs(directory / "work", directory / "agent", "fork"), *first);
}

TEST(Initramfs, ProcessModePacksIpThatRunsFromItAlone) {
  if (!fs::exists("/usr/bin/ip") && !fs::exists("/usr/sbin/ip") && !fs::exists("/sbin/ip"))
    GTEST_SKIP() << "iproute2 is not installed";
  TempDir directory;
  test::write_file(directory / "agent", "agent");
  const auto archive = initramfs(directory / "work", directory / "agent", "process");
  ASSERT_TRUE(archive) << archive.error().message;
  if (output_of("command -v cpio").empty() || ::geteuid() != 0)
    GTEST_SKIP() << "a chroot needs root, unpacking needs cpio";
  const auto root = (directory / "root").string();
  const auto said = output_of("mkdir " + root + " && cd " + root + " && cpio -idn < " +
                              archive->string() + " 2>/dev/null; chroot " + root +
                              " /bin/ip -V 2>&1; chroot " + root + " /bin/true && echo fine");
  EXPECT_NE(said.find("ip utility"), said.npos) << said;
  EXPECT_NE(said.find("fine"), said.npos) << said;
}

// Libraries and programs as well: a guest is a function of what it is made of.
TEST(Initramfs, ProcessModePacksTheSameBytesTwice) {
  if (output_of("command -v ip").empty()) GTEST_SKIP() << "iproute2 is not installed";
  TempDir directory;
  test::write_file(directory / "agent", "agent");
  const auto once = initramfs(directory / "one", directory / "agent", "process"),
             again = initramfs(directory / "two", directory / "agent", "process");
  ASSERT_TRUE(once && again);
  EXPECT_EQ(once->filename(), again->filename());
  EXPECT_TRUE(test::read_file(*once) == test::read_file(*again));
}

TEST(Initramfs, WithoutIpModeProcessSaysWhatToInstall) {
  if (::geteuid() != 0) GTEST_SKIP() << "hiding a program needs root";
  TempDir directory;
  test::write_file(directory / "agent", "agent");
  const pid_t pid = ::fork();
  if (pid == 0) {  // in a mount namespace of its own
    ::unshare(CLONE_NEWNS);
    output_of(
        "mount --make-rprivate / && for d in /usr/sbin /usr/bin /sbin /bin; do"
        " [ ! -f $d/ip ] || mount --bind /dev/null $d/ip; done");
    const auto fork = guest_files(directory / "agent", "fork"),
               process = guest_files(directory / "agent", "process");
    const bool said = !process && process.error().kind == ErrorKind::infra &&
                      process.error().message.find("package iproute2") != std::string::npos;
    ::_exit(fork && said ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
}

TEST(Initramfs, AMissingAgentIsNamed) {
  TempDir directory;
  const auto result = initramfs(directory / "work", directory / "nowhere", "fork");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::infra);
  EXPECT_NE(result.error().message.find("nowhere"), std::string::npos);
}

}  // namespace
}  // namespace bisect_run::lab
