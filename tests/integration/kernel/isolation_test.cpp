// Makefiles that are up to no good, with a real make in real namespaces.
#include "kernel/isolation.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "bench.h"
#include "model/unique_fd.h"
#include "process/run.h"

namespace bisect_run::kernel {
namespace {

namespace fs = std::filesystem;
using test::Bench;

constexpr const char* kPath = "/usr/local/bin:/usr/bin:/bin";

class IsolatedBuild : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto isolation = Isolation::find(kPath); !isolation)
      GTEST_SKIP() << isolation.error().message;
    bench.isolate();
  }

  /// What the hook wrote into the file `said` of make's O=.
  std::string said(const std::string& hook) {
    bench.tree.hook(hook);
    const auto image = bench.build("said" + std::to_string(++builds_));
    EXPECT_TRUE(image) << image.error().message << "\n" << image.error().detail;
    return test::read_file(bench.objects() / "out/said-by-hook");
  }

  Bench bench;
  test::TempDir outside;

 private:
  int builds_ = 0;
};

TEST_F(IsolatedBuild, MakesTheSameKernel) {
  const auto isolated = bench.build("a");
  ASSERT_TRUE(isolated) << isolated.error().message << isolated.error().detail;
  const auto bytes = test::read_file(isolated->bzimage);
  const auto config = test::read_file(isolated->config);
  fs::remove_all(bench.settings.cache / "images");
  fs::remove_all(bench.settings.cache / "objects");
  bench.settings.recipe.isolate_builds = Isolate::never;
  const auto open = bench.build("a");
  ASSERT_TRUE(open) << open.error().message;
  EXPECT_EQ(open->build_key, isolated->build_key);
  EXPECT_EQ(open->signature, isolated->signature);
  EXPECT_EQ(test::read_file(open->bzimage), bytes);
  EXPECT_EQ(test::read_file(open->config), config);
}

TEST_F(IsolatedBuild, ReadsNoSecretOfTheOnesWhoRunIt) {
  const std::string home = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "/root";
  test::write_file(outside / "secret", "the-secret\n");
  ::setenv("HOME", outside.path().c_str(), 1);
  const std::string hook = "{ cat " + (outside / "secret").string() + " /etc/shadow /proc/" +
                           std::to_string(::getpid()) +
                           "/environ; ls -A /root /home /run /var /srv | grep -v :; } "
                           "> $1/said-by-hook 2> /dev/null; true";
  const auto isolated = said(hook);
  bench.settings.recipe.isolate_builds = Isolate::never;
  const auto open = said(hook);
  ::setenv("HOME", home.c_str(), 1);
  EXPECT_EQ(isolated.find_first_not_of('\n'), isolated.npos) << isolated;
  EXPECT_NE(open.find("the-secret"), open.npos) << "this test could not fail";
}

TEST_F(IsolatedBuild, WritesNowhereElse) {
  const auto precious = outside / "precious";
  test::write_file(precious, "work of years\n");
  const auto tree = bench.tree.path().string();
  const auto words = said("for f in " + precious.string() + " " + outside.path().string() +
                          "/new " + tree + "/Makefile " + tree +
                          "/new $1/../configured $1/../../../../images/x /usr/bin/x /x "
                          "/etc/passwd; do (echo ours > $f) 2> /dev/null && echo wrote $f; done "
                          "> $1/said-by-hook; echo private > /tmp/private; true");
  EXPECT_EQ(words, "");
  EXPECT_EQ(test::read_file(precious), "work of years\n");
  EXPECT_FALSE(fs::exists("/tmp/private"));
}

TEST_F(IsolatedBuild, HasNoPrivilegeToUndoIt) {
  const auto words = said(
      "{ grep -E '^(CapEff|CapBnd|NoNewPrivs)' /proc/self/status; mount -o remount,rw /usr && echo "
      "remounted; unshare -Ur true && echo nested; } > $1/said-by-hook 2> /dev/null; true");
  EXPECT_EQ(words, "CapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\n");
}

/// A server of ours on the loopback device, and one on a name that has no file.
class Server {
 public:
  Server()
      : tcp_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
        abstract_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(tcp_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address);
    ::listen(tcp_.get(), 4);
    socklen_t size = sizeof address;
    ::getsockname(tcp_.get(), reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    name_ = "bisect-run-test-" + std::to_string(::getpid());
    name_.copy(name.sun_path + 1, sizeof name.sun_path - 2);
    ::bind(abstract_.get(), reinterpret_cast<sockaddr*>(&name),
           static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name_.size()));
    ::listen(abstract_.get(), 4);
  }
  /// A program that tells which of the two it reached.
  std::string knock() const {
    return "perl -MSocket -e 'socket(S, PF_INET, SOCK_STREAM, 0); print \"tcp\\n\" if connect(S, "
           "sockaddr_in(" +
           std::to_string(port_) +
           ", INADDR_LOOPBACK)); "
           "socket(U, PF_UNIX, SOCK_STREAM, 0); print \"unix\\n\" if connect(U, "
           "pack(\"S a*\", AF_UNIX, \"\\0" +
           name_ + "\"));'";
  }

 private:
  UniqueFd tcp_, abstract_;
  int port_ = 0;
  std::string name_;
};

TEST_F(IsolatedBuild, ReachesNoNetwork) {
  const Server server;
  const auto hook =
      server.knock() + " > $1/said-by-hook; grep -c : /proc/net/dev >> $1/said-by-hook";
  EXPECT_EQ(said(hook), "1\n") << "the loopback device of its own is all there is";
  bench.settings.recipe.isolate_builds = Isolate::never;
  EXPECT_EQ(said(hook).substr(0, 9), "tcp\nunix\n") << "this test could not fail";
}

TEST_F(IsolatedBuild, LeavesNoDaemonBehind) {
  // It leaves the group and the session, cleans its environment of our mark, and closes all files.
  bench.tree.write("daemon.sh",
                   "trap '' TERM HUP\nexec sleep 3" + std::to_string(::getpid()) + "\n");
  bench.tree.hook(
      "env -i setsid sh daemon.sh < /dev/null > /dev/null 2>&1 3>&- &\n"
      "until grep -qs '^sleep' /proc/[0-9]*/cmdline; do :; done");
  ASSERT_TRUE(bench.build("a"));
  const auto daemon = "sleep" + std::string(1, '\0') + "3" + std::to_string(::getpid());
  const auto lives = [&] {
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator("/proc"))
      if (fs::exists(entry.path() / "cmdline", gone) &&
          test::read_file(entry.path() / "cmdline").starts_with(daemon))
        return true;
    return false;
  };
  // The kernel ends a namespace's processes with its first one, in its own time.
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (lives() && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
  EXPECT_FALSE(lives());
}

TEST_F(IsolatedBuild, ATreeThatWritesIntoItsSourceIsASkipWithTheReason) {
  bench.tree.hook("touch init/stamp");
  const auto image = bench.build("a");
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().kind, ErrorKind::skip_build);
  EXPECT_NE(image.error().message.find("writes outside its build directory"), std::string::npos)
      << image.error().message;
  bench.settings.recipe.isolate_builds = Isolate::never;
  EXPECT_TRUE(bench.build("a"));
}

TEST_F(IsolatedBuild, AnInterruptLetsMakeEndInOrder) {
  bench.tree.hook("echo '  CC      hook'; sleep 60");
  const auto image = bench.build("a", "none", [&](double, std::string_view what) {
    if (what == "CC      hook") bench.stop.request_stop();
  });
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().kind, ErrorKind::interrupted);
  EXPECT_FALSE(fs::exists(bench.objects() / "building"));
  std::string log;
  for (const auto& entry : fs::directory_iterator(bench.settings.cache / "logs"))
    log = test::read_file(entry.path());
  // Usually `*** ... bzImage] Terminated`; a make that is just waiting for a child that the
  // same signal has ended says `*** wait: No child processes`.
  EXPECT_NE(log.find("make: *** "), log.npos) << "make did not get to say a word:\n" << log;
}

TEST_F(IsolatedBuild, AMakeThatIsKilledIsOurs) {
  bench.tree.hook("kill -9 $PPID; sleep 1");
  const auto image = bench.build("a");
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().kind, ErrorKind::infra) << image.error().message;
}

TEST(Isolation, SaysWhatIsMissing) {
  const auto none = Isolation::find("/nowhere");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("install the package bubblewrap"), std::string::npos);
  Bench bench;
  bench.settings.search_path = kPath;
  const test::TempDir programs;
  for (const char* name : {"gcc", "as", "ld", "make", "sh", "awk", "cat"}) {
    std::error_code ignored;
    fs::create_symlink(process::find_program(name, kPath), programs / name, ignored);
  }
  bench.settings.search_path = programs.path().string();
  bench.settings.recipe.isolate_builds = Isolate::where_possible;
  EXPECT_NE(bench.open().not_isolated().find("bubblewrap"), std::string::npos);
  bench.settings.recipe.isolate_builds = Isolate::never;
  EXPECT_EQ(bench.open().not_isolated(), "");
  bench.settings.recipe.isolate_builds = Isolate::always;
  const auto refused = Workshop::open(bench.settings);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::infra);
}

TEST(Isolation, ShowsWhereACompilerLiesButNoHomeDirectory) {
  const test::TempDir dir;
  for (const char* place : {"tools/bin", "me/bin"}) {
    fs::create_directories(dir / place);
    test::write_file(dir / place / "cc-of-mine", "#!/bin/sh\n");
    fs::permissions(dir / place / "cc-of-mine", fs::perms::owner_all);
  }
  const std::string home = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "/root";
  ::setenv("HOME", (dir / "me").c_str(), 1);
  const auto shown = [&](const std::string& place) {
    return installations_of({"cc-of-mine", "sh"}, (dir / place).string() + ":" + kPath);
  };
  EXPECT_EQ(shown("tools/bin"), std::vector<fs::path>{dir / "tools"});
  EXPECT_EQ(shown("me/bin"), std::vector<fs::path>{dir / "me/bin"});
  ::setenv("HOME", home.c_str(), 1);
}

}  // namespace
}  // namespace bisect_run::kernel
