#include "lab/console.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace bisect_run::lab {
namespace {

TEST(ConsoleLog, FindsAPanicAcrossPartsAndWithoutANewline) {
  ConsoleLog log;
  log.append("[ 1.0] Kernel panic - not ");
  EXPECT_EQ(log.panic(), "");
  log.append("syncing: x");
  EXPECT_EQ(log.panic(), "[ 1.0] Kernel panic - not syncing: x");
}

TEST(ConsoleLog, ALineThatComesInPartsIsToldWhole) {
  ConsoleLog log;
  log.append("Kernel panic - not syncing: Atte");
  log.append("mpted to kill init!\nBUG: at");
  log.append(" once\nKernel panic - not syncing: another\nBUG: two\n");
  EXPECT_EQ(log.panic(), "Kernel panic - not syncing: Attempted to kill init!");
  EXPECT_EQ(log.oops(), "BUG: at once");
}

TEST(ConsoleLog, ALineWithoutEndIsCutTheSameHoweverItComes) {
  const std::string line = "BUG: " + std::string(3000, 'x');
  ConsoleLog whole, parts;
  whole.append(line + "\n");
  for (std::size_t at = 0; at < line.size(); at += 900) parts.append(line.substr(at, 900));
  parts.append("\n");
  EXPECT_EQ(whole.oops(), parts.oops());
  EXPECT_EQ(whole.oops().size(), 1024u);
}

TEST(ConsoleLog, KeepsTheFirstOops) {
  ConsoleLog log;
  log.append("BUG: one\nOops: two\nfine\n");
  EXPECT_EQ(log.oops(), "BUG: one");
  EXPECT_EQ(log.panic(), "");
}

TEST(ConsoleLog, TailIsBoundedAndPrintable) {
  ConsoleLog log;
  for (int i = 0; i < 1000; ++i) log.append("0123456789\x1b[31m\r\n");
  const auto tail = log.tail();
  EXPECT_LE(tail.size(), ConsoleLog::kTail);
  EXPECT_GT(tail.size(), ConsoleLog::kTail / 2);
  EXPECT_EQ(tail.find('\x1b'), tail.npos);
  EXPECT_TRUE(tail.ends_with("0123456789?[31m\n"));
}

TEST(ConsoleLog, AFloodIsSeen) {
  ConsoleLog log;
  const std::string part(1024 * 1024, 'x');
  for (int i = 0; i < 16; ++i) log.append(part);
  EXPECT_FALSE(log.flooded());
  log.append("x");
  EXPECT_TRUE(log.flooded());
}

TEST(ConsoleFile, FollowsAGrowingFile) {
  test::TempDir directory;
  ConsoleFile console(directory / "console");
  EXPECT_FALSE(console.poll());
  test::write_file(directory / "console", "one\n");
  EXPECT_TRUE(console.poll());
  EXPECT_FALSE(console.poll());
  test::write_file(directory / "console", "one\ntwo\n");
  EXPECT_TRUE(console.poll());
  EXPECT_EQ(console.log().tail(), "one\ntwo\n");
}

TEST(ConsoleFile, AGigabyteIsReadOnlyUpToTheLimit) {
  test::TempDir directory;
  test::write_file(directory / "console", "Linux version\n");
  std::filesystem::resize_file(directory / "console", std::uintmax_t{1} << 30);  // sparse
  ConsoleFile console(directory / "console");
  EXPECT_TRUE(console.poll());
  EXPECT_TRUE(console.log().flooded());
  EXPECT_LE(console.log().size(), ConsoleLog::kFlood + 65536);
  EXPECT_LE(console.log().tail().size(), ConsoleLog::kTail);
  EXPECT_FALSE(console.poll()) << "what floods is not read any further";
}

}  // namespace
}  // namespace bisect_run::lab
