#include "kernel/build_log.h"

#include <gtest/gtest.h>

#include "kernel/host_trouble.h"

namespace bisect_run::kernel {
namespace {

BuildLog after(std::initializer_list<std::string_view> lines) {
  BuildLog log("/some/tree");
  for (const auto line : lines) log.line(line);
  return log;
}

TEST(BuildLog, CountsSteps) {
  const auto log = after({"make[1]: Entering directory '/o'", "  CC      /some/tree/init/main.o",
                          "  HOSTCC  scripts/x", "  note: none", "    12 |   CC = 3;",
                          "  190 |   CC = 3;", "  AR      a.a"});
  EXPECT_EQ(log.steps(), 3);
  EXPECT_EQ(log.last_step(), "AR      a.a");
}

TEST(BuildLog, TheFirstErrorIsWhatPeopleLookFor) {
  EXPECT_EQ(after({"  CC      a.o", "/some/tree/a.c:3:1: warning: x", "make[2]: *** [a.o] Error 1",
                   "/some/tree/a.c:7:2: error: 'b' undeclared", "/some/tree/a.c:8:2: error: 'c'"})
                .first_error(),
            "a.c:7:2: error: 'b' undeclared");
  EXPECT_EQ(after({"hm", "make: *** No rule to make target 'bzImage'.  Stop."}).first_error(),
            "make: *** No rule to make target 'bzImage'.  Stop.");
  EXPECT_EQ(after({"ld: fs/x.o: in function `f':", "x.c:(.text+0x1): undefined reference to `g'",
                   "make: *** [vmlinux] Error 1"})
                .first_error(),
            "x.c:(.text+0x1): undefined reference to `g'");
  EXPECT_EQ(after({"it just says this", ""}).first_error(), "it just says this");
  EXPECT_EQ(after({}).first_error(), "");
}

TEST(BuildLog, RemembersTheMachinesFault) {
  EXPECT_EQ(after({"a.c:1:1: error: x"}).host_trouble(), "");
  EXPECT_NE(after({"x", "cc1: error: /tmp/x.s: No space left on device", "y"}).host_trouble(), "");
}

TEST(HostTrouble, IsToldFromTheTreesFaults) {
  for (const std::string_view line :
       {"/bin/sh: 1: flex: not found", "/bin/sh: line 1: bc: command not found",
        "make[3]: bison: No such file or directory",
        "gcc: fatal error: Killed signal terminated program cc1",
        "gcc: internal compiler error: Killed (program cc1)", "make[3]: *** [x.o] Error 137",
        "Killed", "as: x.o: No space left on device", "cc1: out of memory allocating 65536 bytes",
        "objtool/elf.h:10:10: fatal error: gelf.h: No such file or directory",
        "  The source tree is not clean, please run 'make mrproper'"})
    EXPECT_NE(host_trouble_in(line), "") << line;
  for (const std::string_view line :
       {"", "/bin/sh: 1: ./scripts/new-check.sh: not found",
        "a.c:1: fatal error: linux/x.h: No such file or directory",
        "cc1: internal compiler error: Segmentation fault", "make[3]: *** [x.o] Error 1",
        "   12 |  pr_err(\"No space left on device\");", "      |  Killed",
        "/bin/sh: 1: oops: not found"})
    EXPECT_EQ(host_trouble_in(line), "") << line;
  EXPECT_NE(host_trouble_in("/bin/sh: 1: lz4c: not found").find("package lz4"), std::string::npos);
}

}  // namespace
}  // namespace bisect_run::kernel
