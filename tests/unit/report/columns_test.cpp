#include "report/columns.h"

#include <gtest/gtest.h>

namespace bisect_run::report {
namespace {

KernelSpec spec(std::string text, std::vector<std::string> patches) {
  KernelSpec it{.text = std::move(text), .commit = {}, .patches = {}, .variant = "none"};
  for (auto& name : patches) it.patches.push_back({std::move(name), "text"});
  return it;
}

TEST(KernelName, APatchIsShownByItsFilesNameAndTypedWithItsPath) {
  const auto it = spec("v3.16+/home/me/a+b.patch+../c.patch", {"/home/me/a+b.patch", "../c.patch"});
  EXPECT_EQ(typed_name(it), "v3.16+/home/me/a+b.patch+../c.patch");
  EXPECT_EQ(kernel_name(it), "v3.16+a+b.patch+c.patch");
}

TEST(KernelName, ANamedKernelKeepsItsName) {
  EXPECT_EQ(kernel_name(spec("patched", {"/p/fix.patch"})), "patched");
  EXPECT_EQ(kernel_name(spec("patched", {"/p/fix.patch"}), 5), "patc~");
}

TEST(KernelName, APatchedKernelIsToldFromItsBaseInFewCharacters) {
  const auto it = spec("demo-good+/p/interface-removal.patch", {"/p/interface-removal.patch"});
  EXPECT_EQ(kernel_name(it, 9), "demo-go~+");
  EXPECT_EQ(kernel_name(it, 10), "demo-good+");
  EXPECT_EQ(kernel_name(it, 33), "demo-good+interface-removal.patch");
  EXPECT_EQ(kernel_name(spec("demo-good", {}), 8), "demo-go~");
}

}  // namespace
}  // namespace bisect_run::report
