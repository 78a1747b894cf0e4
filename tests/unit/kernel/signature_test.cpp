#include "kernel/signature.h"

#include <gtest/gtest.h>

#include "synthetic_elf.h"

namespace bisect_run::kernel {
namespace {

using test::note;
using test::synthetic_elf;

struct Parts {
  std::string text = "code", id = "\x01\xab", bugs = "line 1", debug = "names";
};

VmlinuxIdentity identity(const Parts& parts) {
  const auto result = identify(
      synthetic_elf({{".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, parts.text},
                     {"__bug_table", SHT_PROGBITS, SHF_ALLOC, parts.bugs},
                     {".notes", SHT_NOTE, SHF_ALLOC, note("GNU", NT_GNU_BUILD_ID, parts.id)},
                     {".debug_info", SHT_PROGBITS, 0, parts.debug}}));
  EXPECT_TRUE(result) << result.error().message;
  return result.value_or(VmlinuxIdentity{});
}

TEST(Signature, BuildIdIsHex) {
  EXPECT_EQ(identity({}).build_id, "01ab");
}

TEST(Signature, OnlyWhatRunsCounts) {
  const auto before = identity({}).signature;
  EXPECT_EQ(before.size(), 32U);
  EXPECT_EQ(identity({.id = "\x02\xab"}).signature, before);
  EXPECT_EQ(identity({.bugs = "line 2"}).signature, before);
  EXPECT_EQ(identity({.debug = "other"}).signature, before);
  EXPECT_NE(identity({.text = "cody"}).signature, before);
}

TEST(Signature, WithoutBuildIdAKernelCannotBeRecognised) {
  const auto result = identify(synthetic_elf({{".text", SHT_PROGBITS, SHF_ALLOC, "code"}}));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::infra);
  EXPECT_NE(result.error().message.find("build-id"), std::string::npos);
}

}  // namespace
}  // namespace bisect_run::kernel
