#include "kernel/files_read.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace bisect_run::kernel {
namespace {

using Paths = std::vector<std::string>;

TEST(FilesRead, WordsBelowTheTreeOnly) {
  EXPECT_EQ(
      paths_below("/t/tree",
                  "cmd_kernel/fork.o := gcc -I/t/tree/include -include "
                  "/t/tree/include/linux/kconfig.h -c -o kernel/fork.o /t/tree/kernel/fork.c\n"
                  "deps_kernel/fork.o := \\\n    $(wildcard include/config/SMP) \\\n"
                  "  /t/tree/arch/x86/include/../include/asm/bug.h \\\n"
                  "  include/generated/bounds.h /usr/lib/gcc/stdarg.h /t/treetop/x.h \\\n"),
      (Paths{"include/linux/kconfig.h", "kernel/fork.c", "arch/x86/include/asm/bug.h"}));
  EXPECT_TRUE(paths_below("/t/tree", "").empty());
  EXPECT_TRUE(paths_below("/t/tree", "/t/tree /t/tree/").empty());
}

TEST(FilesRead, GathersWhatAllObjectsName) {
  const test::TempDir dir;
  const auto out = dir / "out";
  test::write_file(out / "kernel/.fork.o.cmd", "x := /s/kernel/fork.c /s/include/linux/sched.h\n");
  test::write_file(out / "lib/zlib/.inflate.o.d",
                   "inflate.o: /s/lib/zlib/inflate.c\\\n"
                   " /s/include/linux/sched.h\n");
  test::write_file(out / "scripts/basic/.fixdep.cmd", "deps := /s/scripts/basic/fixdep.c\n");
  test::write_file(out / "kernel/fork.o", "/s/not/a/dependency/file.c");
  const auto files = files_read(out, "/s");
  ASSERT_TRUE(files);
  EXPECT_EQ(*files, (Paths{"include/linux/sched.h", "kernel/fork.c", "lib/zlib/inflate.c",
                           "scripts/basic/fixdep.c"}));
  EXPECT_FALSE(files_read(dir / "absent", "/s"));
}

}  // namespace
}  // namespace bisect_run::kernel
