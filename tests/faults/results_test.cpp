// What can happen to the results file while a controller is at work, and that the run goes on from
// there to the same answer.

#include <sys/mount.h>

#include <functional>

#include "faults/controller_test.h"

namespace bisect_run::test {
namespace {

namespace fs = std::filesystem;

/// Runs `body` in a child with mounts of its own. False also where that is not possible.
bool with_own_mounts(const std::function<bool()>& body) {
  std::cout.flush();
  const pid_t child = ::fork();
  if (child == 0) {
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
      ::_exit(77);
    ::_exit(body() ? 0 : 1);
  }
  return end_of(child) == 0;
}

bool says(const fs::path& directory, const char* words) {
  const auto complaints = read_file(directory / "complaints");
  if (complaints.find(words) != complaints.npos) return true;
  std::cerr << "no \"" << words << "\" in: " << complaints << "\n";
  return false;
}

class FaultyResults : public ControllerTest {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "mounting needs root";
    ControllerTest::SetUp();
  }
};

TEST_F(FaultyResults, ADiskThatIsFullAbortsAndRoomLetsTheRunGoOn) {
  const auto directory = new_run();
  injected();
  EXPECT_TRUE(with_own_mounts([&] {
    if (::mount("tmpfs", directory.c_str(), "tmpfs", 0, "size=512k") != 0) return false;
    const int full = end_of(start(directory));
    if (full != 3 || !says(directory, "the disk is full")) return false;
    if (::mount(nullptr, directory.c_str(), nullptr, MS_REMOUNT, "size=64m") != 0) return false;
    if (end_of(start(directory)) != 0 || read_file(directory / "answer") != answer_) return false;
    return verify(directory, 1) == complete_ && !HasFailure();
  }));
  survived();
  resumed();
}

TEST_F(FaultyResults, AReadOnlyPlaceIsToldAndTheRunGoesOnLater) {
  const auto directory = new_run();
  const pid_t first = start(directory);
  ASSERT_TRUE(eventually([&] { return acknowledged_in(directory).size() > 40; }));
  ::kill(first, SIGKILL);
  end_of(first);
  injected();
  EXPECT_TRUE(with_own_mounts([&] {
    const char* const place = directory.c_str();
    if (::mount(place, place, nullptr, MS_BIND, nullptr) != 0 ||
        ::mount(nullptr, place, nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) != 0)
      return false;
    const pid_t refused = ::fork();
    if (refused == 0) {
      ::freopen((work() / "refused").c_str(), "w", stderr);
      become_controller(directory);
    }
    const int code = end_of(refused);
    const auto words = read_file(work() / "refused");
    // Refused by its name, and told to resume: nothing is lost.
    const bool told = code == 3 && words.find("make the place writable") != words.npos;
    if (!told) std::cerr << "exit " << code << ": " << words;
    return told;
  }));
  EXPECT_EQ(end_of(start(directory)), 0);
  EXPECT_EQ(read_file(directory / "answer"), answer_);
  EXPECT_EQ(verify(directory, 1), complete_);
  survived();
  resumed();
}

/// Another program that holds the results locked for writing.
class Locker {
 public:
  Locker(const fs::path& directory) {
    const auto said = directory / "locked";
    fs::remove(said);
    pipe_ = ::popen(
        ("sqlite3 '" + (directory / "results.db").string() + "' > '" + said.string() + "' 2>&1")
            .c_str(),
        "w");
    std::fputs(".timeout 5000\nBEGIN IMMEDIATE;\nSELECT 'locked';\n", pipe_);
    std::fflush(pipe_);
    holds_ = eventually([&] { return read_file(said) == "locked\n"; });
  }
  ~Locker() { ::pclose(pipe_); }
  bool holds() const { return holds_; }

 private:
  FILE* pipe_;
  bool holds_;
};

TEST_F(FaultyResults, ALockOfAnotherProgramIsWaitedForAndThenAborts) {
  if (std::system("command -v sqlite3 > /dev/null") != 0) GTEST_SKIP() << "no sqlite3";
  const auto directory = new_run();
  pid_t controller = start(directory);
  ASSERT_TRUE(eventually([&] { return acknowledged_in(directory).size() > 40; }));
  injected(2);
  {
    const Locker lock(directory);
    ASSERT_TRUE(lock.holds());
    pause_ms(1500);
  }
  survived();
  const auto before = acknowledged_in(directory).size();
  ASSERT_TRUE(eventually([&] { return acknowledged_in(directory).size() > before; }));
  {
    const Locker lock(directory);
    ASSERT_TRUE(lock.holds());
    EXPECT_EQ(end_of(controller), 3);  // after the store's ten seconds
    EXPECT_TRUE(says(directory, "another process holds the file locked"));
  }
  EXPECT_EQ(end_of(start(directory)), 0);
  EXPECT_EQ(read_file(directory / "answer"), answer_);
  EXPECT_EQ(verify(directory, 2), complete_);
  survived();
  resumed();
}

}  // namespace
}  // namespace bisect_run::test
