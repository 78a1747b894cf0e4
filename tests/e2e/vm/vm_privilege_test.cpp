// What a QEMU that runs a kernel may do: looked up in /proc, since what was asked for is not what
// is.
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "lab/initramfs.h"
#include "support/stand_in.h"
#include "support/temp_dir.h"
#include "vm/host.h"

namespace bisect_run::vm {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class QemuPrivilege : public testing::Test {
 protected:
  static constexpr const char* kTag = "privilege";

  void start(const std::string& part, std::uint64_t most_written = 0) {
    const auto image = test::test_image();
    if (!image) GTEST_SKIP() << "BISECT_RUN_TEST_IMAGE names no directory with a kernel";
    HostSettings settings;
    settings.run_tag = kTag;
    settings.capabilities_cache = BISECT_RUN_BUILD_DIR "/test-capabilities";
    auto host = Host::connect(settings);
    ASSERT_TRUE(host) << host.error().message;
    host_.emplace(std::move(*host));
    const auto archive = lab::initramfs(work_.path(), test::make_stand_in(work_.path()), "fork");
    ASSERT_TRUE(archive) << archive.error().message;
    DomainSpec spec;
    spec.name = host_->unique_name();
    spec.kernel = image->bzimage;
    spec.initrd = *archive;
    spec.cmdline = "console=ttyS0 stand_in=" + part;
    spec.memory_mib = 128;
    if (most_written > 0) spec.most_written_bytes = most_written;
    auto domain = host_->create(spec);
    ASSERT_TRUE(domain) << domain.error().message;
    domain_ = std::move(*domain);
    const auto pid = test::output_of("cat /tmp/brv-*/run/qemu/" + spec.name + ".pid");
    ASSERT_FALSE(pid.empty());
    proc_ = fs::path("/proc") / pid;
  }

  /// What follows `name:` in /proc/PID/status, blanks squeezed.
  std::string status(const std::string& name) const {
    std::istringstream lines(test::read_file(proc_ / "status"));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with(name + ":")) continue;
      std::istringstream words(line.substr(name.size() + 1));
      std::string all;
      for (std::string word; words >> word;) all += (all.empty() ? "" : " ") + word;
      return all;
    }
    return {};
  }

  std::vector<std::string> command_line() const {
    std::istringstream in(test::read_file(proc_ / "cmdline"));
    std::vector<std::string> words;
    for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
    return words;
  }

  test::TempDir work_;
  std::optional<Host> host_;
  std::unique_ptr<Domain> domain_;
  fs::path proc_;
};

TEST_F(QemuPrivilege, RunsAsNobodyInParticularUnderSeccomp) {
  start("hang");
  if (!domain_) return;
  std::string uid = std::to_string(::geteuid());
  // With a /dev/kvm that is root's alone it stays root, without any capability.
  struct stat kvm{};
  const bool closed = ::stat("/dev/kvm", &kvm) == 0 && (kvm.st_mode & 06) != 06 &&
                      ((kvm.st_mode & 060) != 060 || kvm.st_gid == 0);
  if (::geteuid() == 0 && !closed) uid = std::to_string(::getpwnam("libvirt-qemu")->pw_uid);
  EXPECT_EQ(status("Uid"), uid + " " + uid + " " + uid + " " + uid);
  EXPECT_EQ(status("Seccomp"), "2");
  EXPECT_EQ(status("NoNewPrivs"), "1");
  for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapAmb"})
    EXPECT_EQ(status(set), "0000000000000000") << set;
  const auto limits = test::read_file(proc_ / "limits");
  EXPECT_NE(limits.find("Max core file size        0 "), limits.npos) << limits;
  EXPECT_NE(limits.find("Max file size             67108864 "), limits.npos) << limits;
  EXPECT_NE(limits.find("Max open files            25"), limits.npos) << limits;
}

TEST_F(QemuPrivilege, HasTheDevicesThatItNeedsAndNoOther) {
  start("hang");
  if (!domain_) return;
  std::set<std::string> devices, options;
  const auto words = command_line();
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i] == "-device") {
      // JSON or NAME,…: the driver's name is what counts.
      auto driver = words[i + 1];
      if (const auto at = driver.find("\"driver\":\""); at != driver.npos)
        driver = driver.substr(at + 10);
      devices.insert(driver.substr(0, driver.find_first_of("\",")));
    }
    if (words[i].starts_with("-")) options.insert(words[i]);
  }
  EXPECT_EQ(devices, (std::set<std::string>{"isa-serial", "pvpanic"}));
  for (const char* none : {"-netdev", "-nic", "-net", "-drive", "-blockdev", "-fsdev", "-virtfs",
                           "-usb", "-vnc", "-spice", "-audio"})
    EXPECT_FALSE(options.contains(none)) << none;
  for (const char* wanted : {"-nodefaults", "-no-user-config", "-sandbox"})
    EXPECT_TRUE(options.contains(wanted)) << wanted;
  const auto audio = std::ranges::find(words, "-audiodev");  // libvirt says so if there is none
  if (audio != words.end()) {
    EXPECT_NE(audio[1].find("\"driver\":\"none\""), std::string::npos) << audio[1];
  }
  const auto sandbox = std::ranges::find(words, "-sandbox");
  ASSERT_NE(sandbox, words.end());
  EXPECT_EQ(sandbox[1], "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny");
}

TEST_F(QemuPrivilege, HoldsNoFileThatIsNotOfItsOwnBoot) {
  start("hang");
  if (!domain_) return;
  const auto root = domain_->console().parent_path().parent_path().parent_path();
  for (const auto& entry : fs::directory_iterator(proc_ / "fd")) {
    std::error_code gone;
    const auto target = fs::read_symlink(entry.path(), gone).string();
    const bool known = gone || !target.starts_with("/") ||
                       target.starts_with(root.string() + "/") || target == "/dev/null" ||
                       target == "/dev/ptmx" || target == "/dev/kvm" ||
                       target.starts_with("/dev/pts/") || target == "/dev/urandom" ||
                       target.starts_with("/memfd:");
    EXPECT_TRUE(known) << target;
  }
}

TEST_F(QemuPrivilege, WritesNoMoreThanItsShareEvenIfNobodyLooks) {
  constexpr std::uint64_t kShare = 16 * 1024;
  start("flood", kShare);
  if (!domain_) return;
  const auto console = domain_->console();
  const auto limit = Domain::Clock::now() + 60s;
  while (fs::file_size(console) < kShare && Domain::Clock::now() < limit)
    (void)domain_->wait(Domain::Clock::now() + 100ms);
  (void)domain_->wait(Domain::Clock::now() + 2s);  // it floods on
  EXPECT_EQ(fs::file_size(console), kShare);
}

}  // namespace
}  // namespace bisect_run::vm
