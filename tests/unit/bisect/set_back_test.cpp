#include "bisect/set_back.h"

#include <gtest/gtest.h>

namespace bisect_run::bisect {
namespace {

/// One commit that touches these paths, each present at both ends.
bool set_back_alone(const std::vector<std::string>& paths,
                    const std::unordered_set<std::string>& read = {"kernel/fork.c"}) {
  TouchedPaths touched;
  touched.of.resize(2);
  for (const std::string& path : paths) {
    touched.of[1].push_back(static_cast<std::uint32_t>(touched.names.size()));
    touched.names.push_back(path);
    touched.at_both_ends.push_back(true);
  }
  return set_back(touched, read).contains(1);
}

TEST(SetBack, WhatNoBuildReadIsUnlikely) {
  EXPECT_TRUE(
      set_back_alone({"drivers/net/tg3.c", "drivers/net/tg3.h", "arch/arm/kernel/entry.S"}));
  EXPECT_TRUE(set_back_alone({"Documentation/networking/bonding.txt", "MAINTAINERS"}));
}

TEST(SetBack, OnePathThatMattersIsEnough) {
  EXPECT_FALSE(set_back_alone({"kernel/fork.c"}));
  EXPECT_FALSE(set_back_alone({"drivers/net/tg3.c", "kernel/fork.c"}));
}

TEST(SetBack, NeverWhatBuildsAreMadeBy) {
  for (const char* path : {"init/Kconfig",
                           "drivers/net/Kconfig.debug",
                           "Makefile",
                           "kernel/Makefile",
                           "scripts/Kbuild",
                           "include/Kbuild",
                           "scripts/mod/file2alias.c",
                           "scripts/gcc-version.sh",
                           "tools/objtool/check.c",
                           "arch/x86/kernel/vmlinux.lds.S",
                           "arch/x86/kernel/vmlinux.lds.S.in",
                           "arch/x86/kernel/vmlinux.lds",
                           "arch/x86/entry/syscalls/syscall_64.tbl",
                           "lib/raid6/unroll.awk",
                           "lib/raid6/int.uc",
                           "kernel/timeconst.pl",
                           "drivers/tty/vt/cp437.uni",
                           "drivers/tty/vt/defkeymap.c_shipped",
                           "usr/gen_init_cpio.c",
                           "firmware/e100/d101m_ucode.bin.ihex",
                           "localversion",
                           "arch/x86/configs/x86_64_defconfig",
                           "Documentation/Makefile",
                           "Documentation/conf.py"})
    EXPECT_FALSE(set_back_alone({path})) << path;
}

TEST(SetBack, NeverWhatIsMissingAtAnEnd) {
  // A rename is two paths, each missing at one end; a new header and a file that exists only in the
  // middle are missing too.
  TouchedPaths touched;
  touched.names = {"drivers/old.c", "drivers/new.c", "drivers/other.c"};
  touched.at_both_ends = {false, false, true};
  touched.of = {{}, {0, 1}, {2, 0}, {2}};
  const NodeSet nodes = set_back(touched, {"kernel/fork.c"});
  EXPECT_FALSE(nodes.contains(1));
  EXPECT_FALSE(nodes.contains(2));
  EXPECT_TRUE(nodes.contains(3));
}

TEST(SetBack, NeverMergesOrCommitsThatTouchNothing) {
  TouchedPaths touched;
  touched.of.resize(3);
  EXPECT_TRUE(set_back(touched, {}).empty());
}

}  // namespace
}  // namespace bisect_run::bisect
