#include "process/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/temp_dir.h"

namespace bisect_run::process {
namespace {

const Output::OnLine kNoListener;

TEST(Output, HandsOutLinesHoweverTheyArrive) {
  std::vector<std::string> lines;
  const Output::OnLine listen = [&](std::string_view line) { lines.emplace_back(line); };
  Output output({}, 0, 100, listen);
  for (const char* piece : {"a", "b\n", "\ncd\ne", "f"}) output.take(piece);
  EXPECT_EQ(lines, (std::vector<std::string>{"ab", "", "cd"}));
  output.finish();
  output.finish();
  EXPECT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines.back(), "ef");
}

TEST(Output, CutsLongLinesAndGoesOnWithTheNext) {
  std::vector<std::string> lines;
  const Output::OnLine listen = [&](std::string_view line) { lines.emplace_back(line); };
  Output output({}, 0, 100, listen);
  for (int i = 0; i < 100; ++i) output.take(std::string(1000, 'x'));
  output.take("\nnext\n");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], std::string(Output::kLongestLine, 'x'));
  EXPECT_EQ(lines[1], "next");
}

TEST(Output, TailIsTheLastBytesWhateverThePieces) {
  std::string all;
  Output output({}, 0, 10, kNoListener);
  for (int i = 0; i < 500; ++i) {
    const std::string piece(static_cast<std::size_t>(i % 37), static_cast<char>('a' + i % 26));
    output.take(piece);
    all += piece;
    EXPECT_EQ(output.tail(), all.size() <= 10 ? all : all.substr(all.size() - 10)) << i;
  }
}

TEST(Output, LogStopsAtItsLimitAndSaysSo) {
  const test::TempDir dir;
  const auto file = dir / "log";
  Output output(UniqueFd(::open(file.c_str(), O_WRONLY | O_CREAT, 0600)), 5, 100, kNoListener);
  output.take("abc");
  output.take("defg");
  output.take("hij");
  const auto text = test::read_file(file);
  EXPECT_TRUE(text.starts_with("abcde\n[")) << text;
  EXPECT_EQ(text.find('f'), std::string::npos);
  EXPECT_EQ(output.tail(), "abcdefghij");
}

TEST(Output, AFullLogDeviceIsReportedAndTheTailGoesOn) {
  Output output(UniqueFd(::open("/dev/full", O_WRONLY)), 100, 100, kNoListener);
  output.take("abc");
  EXPECT_EQ(output.log_error(), ENOSPC);
  output.take("def");
  EXPECT_EQ(output.tail(), "abcdef");
}

}  // namespace
}  // namespace bisect_run::process
