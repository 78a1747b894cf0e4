#include "kernel/files.h"

#include <gtest/gtest.h>

#include <iterator>
#include <thread>
#include <vector>

#include "support/temp_dir.h"

namespace bisect_run::kernel {
namespace {

// Builds that go on side by side may learn the same of the same tree.
TEST(Files, WrittenByManyAtOnceAreWhole) {
  const test::TempDir dir;
  const auto file = dir / "facts";
  constexpr int kThreads = 4, kRounds = 100;
  {
    std::vector<std::jthread> writers;
    for (int thread = 0; thread < kThreads; ++thread)
      writers.emplace_back([&, thread] {
        const std::string text(20000, static_cast<char>('a' + thread));
        for (int round = 0; round < kRounds; ++round) {
          const auto written = write_file(file, text);
          EXPECT_TRUE(written) << written.error().message;
          const auto read = read_file(file).value_or("");
          EXPECT_EQ(read, std::string(text.size(), read.empty() ? '?' : read.front()));
        }
      });
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()),
                          std::filesystem::directory_iterator()),
            1);
}

}  // namespace
}  // namespace bisect_run::kernel
