#include "kernel/compiler.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace bisect_run::kernel {
namespace {

/// A directory of tools that answer `--version` with a line of ours.
class FakeTools {
 public:
  FakeTools() {
    say("gcc", "gcc 1");
    say("as", "as 1");
    say("ld", "ld 1");
  }
  void say(const std::string& tool, const std::string& version) {
    test::write_file(dir_ / tool, "#!/bin/sh\necho '" + version + "'\necho more\n");
    std::filesystem::permissions(dir_ / tool, std::filesystem::perms::owner_all);
  }
  std::string path() const { return dir_.path().string(); }

 private:
  test::TempDir dir_;
};

TEST(Compiler, IdentityFollowsToolsFlagsAndVariables) {
  FakeTools tools;
  const auto before = look_at({}, tools.path());
  ASSERT_TRUE(before) << before.error().message;
  EXPECT_EQ(before->version, "gcc 1");
  EXPECT_EQ(before->command, "gcc");
  EXPECT_EQ(look_at({}, tools.path())->identity, before->identity);
  EXPECT_NE(look_at({"x", "gcc -fno-pie", {}}, tools.path())->identity, before->identity);
  EXPECT_NE(look_at({"x", "gcc", {"LLVM=0"}}, tools.path())->identity, before->identity);
  EXPECT_FALSE(look_at({"x", "gcc", {"LLVM=1"}}, tools.path()));  // it links with ld.lld
  tools.say("ld.lld", "LLD 1");
  const auto llvm = look_at({"x", "gcc", {"LLVM=1"}}, tools.path());
  ASSERT_TRUE(llvm) << llvm.error().message;
  EXPECT_NE(llvm->identity, before->identity);
  tools.say("ld.lld", "LLD 2");
  EXPECT_NE(look_at({"x", "gcc", {"LLVM=1"}}, tools.path())->identity, llvm->identity);
  tools.say("ld", "ld 2");
  EXPECT_NE(look_at({}, tools.path())->identity, before->identity);
}

TEST(Compiler, GoesThroughCcacheWhereThereIsOne) {
  FakeTools tools;
  tools.say("ccache", "ccache 4");
  const auto compiler = look_at({"x", "gcc -fno-pie", {}}, tools.path());
  EXPECT_EQ(compiler->command, "ccache gcc -fno-pie");
  EXPECT_EQ(compiler->host_command, "ccache gcc");
}

TEST(Compiler, AMissingOneIsNamed) {
  const FakeTools tools;
  const auto missing = look_at({"old", "gcc-4.9", {}}, tools.path());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::infra);
  EXPECT_NE(missing.error().message.find("`old`"), std::string::npos);
  EXPECT_NE(missing.error().message.find("gcc-4.9"), std::string::npos);
}

// Documentation/kbuild/llvm.rst: LLVM=1, a suffix that begins with -, a directory that ends with /.
TEST(Compiler, NamesTheToolsOfLlvmAsTheTreeDoes) {
  EXPECT_EQ(llvm_tool({"W=1"}, "clang"), "");
  EXPECT_EQ(llvm_tool({"LLVM=0"}, "clang"), "");
  EXPECT_EQ(llvm_tool({"LLVM=1"}, "clang"), "clang");
  EXPECT_EQ(llvm_tool({"W=1", "LLVM=-19"}, "ld.lld"), "ld.lld-19");
  EXPECT_EQ(llvm_tool({"LLVM=/opt/llvm/"}, "clang"), "/opt/llvm/clang");
}

}  // namespace
}  // namespace bisect_run::kernel
