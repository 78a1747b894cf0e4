#include "vm/sweep.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "support/temp_dir.h"
#include "vm/embed_root.h"

extern char** environ;

namespace bisect_run::vm {
namespace {

namespace fs = std::filesystem;
using test::TempDir;

/// A process that waits, named and called like a QEMU of libvirt's.
class FakeQemu {
 public:
  FakeQemu(const fs::path& program, const std::string& mentioned) {
    std::vector<std::string> words = {program.string(),
                                      "-c",
                                      "sleep 30 > /dev/null 2>&1 & wait",
                                      "-name",
                                      "guest=bisect-run-fake-1",
                                      "file=" + mentioned};
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    if (::posix_spawn(&pid_, program.c_str(), nullptr, nullptr, argv.data(), environ) != 0)
      pid_ = -1;
  }
  ~FakeQemu() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  FakeQemu(const FakeQemu&) = delete;
  FakeQemu& operator=(const FakeQemu&) = delete;

  bool killed() {
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    return info.si_pid == pid_;
  }

 private:
  pid_t pid_ = -1;
};

class Sweep : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(directory_ / "bin");
    fs::copy_file("/bin/sh", qemu_);
  }

  fs::path dead_root(const std::string& name) {
    const auto root = directory_ / name;
    test::write_file(root / kOwnerFile, "bisect-run 1\n");
    test::write_file(root / "lib/qemu/x", "x");
    return root;
  }

  TempDir directory_;
  fs::path qemu_ = directory_ / "bin/qemu-system-x86_64";
};

TEST_F(Sweep, C15ADeadRootGoesWithItsQemuAndNoOther) {
  const auto root = dead_root("brv-aaaaaa"), near = dead_root("brv-aaaaaab");
  FakeQemu ours(qemu_, (root / "lib/qemu/domain-1/master-key.aes").string());
  FakeQemu foreign(qemu_, "/var/lib/libvirt/qemu/domain-1/master-key.aes");
  FakeQemu neighbour(qemu_, (near / "lib").string());
  FakeQemu editor("/bin/sh", (root / "lib/qemu/x").string());
  const auto swept = sweep_leftovers(directory_.path());
  ASSERT_TRUE(swept) << swept.error().message;
  EXPECT_EQ(swept->roots, 1);
  EXPECT_EQ(swept->processes, 1);
  EXPECT_FALSE(fs::exists(root));
  EXPECT_TRUE(ours.killed());
  // Names of another length are not ours, whatever they begin with.
  EXPECT_TRUE(fs::exists(near));
  EXPECT_FALSE(foreign.killed());
  EXPECT_FALSE(neighbour.killed());
  EXPECT_FALSE(editor.killed());
}

TEST_F(Sweep, C15AForeignDirectoryOfASimilarNameStays) {
  test::write_file(directory_ / "brv-bbbbbb/precious", "x");
  fs::create_directory_symlink(dead_root("other"), directory_ / "brv-cccccc");
  ASSERT_TRUE(sweep_leftovers(directory_.path()));
  EXPECT_TRUE(fs::exists(directory_ / "brv-bbbbbb/precious"));
  EXPECT_TRUE(fs::exists(directory_ / "other" / kOwnerFile));
}

TEST_F(Sweep, ARootGoesWithTheQemusThatLibvirtLeftInIt) {
  auto root = EmbedRoot::make(directory_.path(), {::geteuid(), ::getegid(), false});
  ASSERT_TRUE(root) << root.error().message;
  const auto path = root->path();
  FakeQemu late(qemu_, (path / "lib/qemu/domain-1/master-key.aes").string());
  FakeQemu foreign(qemu_, "/var/lib/libvirt/qemu/domain-1/master-key.aes");
  root = fail(ErrorKind::interrupted, "the run ends");
  EXPECT_TRUE(late.killed());
  EXPECT_FALSE(foreign.killed());
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(Sweep, ALivingControllersRootStaysUntilItDies) {
  {
    const auto root = EmbedRoot::make(directory_.path(), {::geteuid(), ::getegid(), false});
    ASSERT_TRUE(root) << root.error().message;
    EXPECT_LE(root->path().filename().string().size(), 10u);
    EXPECT_EQ(fs::status(root->path()).permissions() & fs::perms::others_all, fs::perms::none);
    EXPECT_EQ(sweep_leftovers(directory_.path())->roots, 0);
    EXPECT_TRUE(fs::exists(root->path() / "etc/qemu.conf"));
    const auto second = EmbedRoot::make(directory_.path(), {::geteuid(), ::getegid(), false});
    ASSERT_TRUE(second);
    EXPECT_NE(second->path(), root->path());
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_.path()), {}), 1);  // bin
}

TEST_F(Sweep, NoParentIsNothingToDo) {
  EXPECT_EQ(sweep_leftovers(directory_ / "nowhere")->roots, 0);
}

TEST(EmbedRootCapabilities, AreCarriedFromOneControllerToTheNext) {
  TempDir directory;
  const QemuAccount account{::geteuid(), ::getegid(), false};
  const auto cache = directory / "kept";
  {
    const auto root = EmbedRoot::make(directory.path(), account);
    ASSERT_TRUE(root);
    root->seed_capabilities(cache, account);
    test::write_file(root->path() / "cache/qemu/capabilities/abc.xml", "<x/>");
    root->keep_capabilities(cache);
  }
  const auto root = EmbedRoot::make(directory.path(), account);
  ASSERT_TRUE(root);
  root->seed_capabilities(cache, account);
  EXPECT_EQ(test::read_file(root->path() / "cache/qemu/capabilities/abc.xml"), "<x/>");
}

}  // namespace
}  // namespace bisect_run::vm
