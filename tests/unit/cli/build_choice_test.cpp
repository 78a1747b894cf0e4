#include "cli/build_choice.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace bisect_run::cli {
namespace {

TEST(BuildChoice, GoesOnTopOfTheRecipe) {
  const test::TempDir dir;
  test::write_file(dir / "my.config", "CONFIG_SMP=y\n");
  Recipe recipe;
  recipe.toolchain.make_variables = {"W=0"};
  ASSERT_TRUE(apply({"", {"V=1"}, (dir / "my.config").string()}, dir / "my.config", recipe));
  EXPECT_EQ(recipe.toolchain.cc, "gcc");
  EXPECT_EQ(recipe.toolchain.make_variables, (std::vector<std::string>{"W=0", "V=1"}));
  ASSERT_EQ(recipe.own_config.size(), 1U);
  EXPECT_TRUE(recipe.own_config[0].own);
}

// The tree asks for clang then; CC=gcc on make's command line would take that back.
TEST(BuildChoice, LlvmMeansClangUnlessACompilerIsNamed) {
  const auto cc = [](const BuildChoice& choice) {
    Recipe recipe;
    EXPECT_TRUE(apply(choice, {}, recipe));
    return recipe.toolchain.cc;
  };
  EXPECT_EQ(cc({"", {}, ""}), "gcc");
  EXPECT_EQ(cc({"", {"LLVM=1"}, ""}), "clang");
  EXPECT_EQ(cc({"", {"LLVM=-19"}, ""}), "clang-19");
  EXPECT_EQ(cc({"clang-14", {"LLVM=1"}, ""}), "clang-14");
}

TEST(BuildChoice, AFileThatIsNoneIsSaidAtOnce) {
  Recipe recipe;
  const auto missing = apply({"", {}, "/nowhere"}, "/nowhere", recipe);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::usage);
  Arguments arguments;
  arguments.make_args = {"ARCH=arm64"};
  EXPECT_EQ(build_choice(arguments).error().kind, ErrorKind::usage);
}

TEST(MachineChoice, OptionsGoOnTop) {
  Arguments arguments;
  EXPECT_EQ(machine_choice(arguments, {2, 512, "auto", "real"}).value(),
            (Machine{2, 512, "auto", "real"}));
  arguments.memory = "1GiB";
  arguments.cpus = {4, 1};
  arguments.accel = "kvm";
  EXPECT_EQ(machine_choice(arguments, {2, 512, "auto", "real"}).value(),
            (Machine{4, 1024, "kvm", "real"}));
  arguments.clock = "virtual";
  EXPECT_EQ(machine_choice(arguments, {}).error().kind, ErrorKind::usage);
  arguments.accel.reset();
  EXPECT_EQ(machine_choice(arguments, {2, 512, "auto", "real"}).value(),
            (Machine{4, 1024, "tcg", "virtual"}));
}

TEST(Placed, ANamedKernelKeepsItsMachineAndClocksAreNeverMixed) {
  RunRequest request;
  request.kernels = {{"a", {"a"}, {}, "none"}, {"b", {"b"}, {}, "none"}};
  request.cpus = {1, 4};
  request.machine = {1, 512, "tcg", "real"};
  EXPECT_EQ(placed_kernels(request, request.machine).size(), 4U);
  request.kernels[1].machine = Machine{8, 1024, "tcg", "real"};
  const auto placed = placed_kernels(request, request.machine);
  ASSERT_EQ(placed.size(), 3U);
  EXPECT_EQ(placed[1].machine.cpus, 4);
  EXPECT_EQ(placed[2].spec.text, "b");
  EXPECT_EQ(placed[2].machine.cpus, 8);
  EXPECT_TRUE(check_clocks(request));
  request.kernels[1].machine->clock = "virtual";
  const auto mixed = check_clocks(request);
  ASSERT_FALSE(mixed);
  EXPECT_EQ(mixed.error().kind, ErrorKind::usage);
  // All of them virtual, whatever the run's own machine is: nothing is mixed.
  request.kernels[0].machine = request.kernels[1].machine;
  EXPECT_TRUE(check_clocks(request));
}

TEST(Placed, NoMoreCpusThanKernelsAreBuiltFor) {
  RunRequest request;
  request.kernels = {{"a", {"a"}, {}, "none"}};
  request.cpus = {2, 16};
  Recipe recipe;
  EXPECT_TRUE(check_cpus(request, recipe));
  recipe.config = {{"NR_CPUS", "16"}};
  EXPECT_TRUE(check_cpus(request, recipe));
  recipe.config = {{"NR_CPUS", "8"}};
  const auto many = check_cpus(request, recipe);
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().kind, ErrorKind::usage);
  recipe.own_config = {{"NR_CPUS", "64"}};
  EXPECT_TRUE(check_cpus(request, recipe));
}

}  // namespace
}  // namespace bisect_run::cli
