#include "lab/accelerator_memory.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace bisect_run::lab {
namespace {

TEST(AcceleratorMemory, HoldsForThisHostBootAndThisQemuOnly) {
  test::TempDir directory;
  const auto file = directory / "deep/accelerator";
  const AcceleratorMemory memory(file, "boot-1", "7.2.22");
  EXPECT_FALSE(memory.kvm_works());
  memory.remember(false);
  EXPECT_EQ(memory.kvm_works(), false);
  EXPECT_FALSE(AcceleratorMemory(file, "boot-2", "7.2.22").kvm_works());
  EXPECT_FALSE(AcceleratorMemory(file, "boot-1", "8.0.0").kvm_works());
  memory.remember(true);
  EXPECT_EQ(memory.kvm_works(), true);
}

TEST(AcceleratorMemory, NoFileAndRubbish) {
  EXPECT_FALSE(AcceleratorMemory({}, "b", "q").kvm_works());
  AcceleratorMemory({}, "b", "q").remember(true);
  test::TempDir directory;
  test::write_file(directory / "a", "rubbish\n");
  EXPECT_FALSE(AcceleratorMemory(directory / "a", "b", "q").kvm_works());
}

}  // namespace
}  // namespace bisect_run::lab
