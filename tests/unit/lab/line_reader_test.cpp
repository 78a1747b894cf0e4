#include "lab/line_reader.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace bisect_run::lab {
namespace {

TEST(LineReader, CutsAtNewlinesHoweverTheBytesCome) {
  LineReader reader;
  std::vector<std::string> lines;
  for (const char c : std::string("one\n\ntwo\nthr")) {
    reader.feed({&c, 1});
    while (const auto line = reader.next()) lines.push_back(line->text);
  }
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "", "two"}));
}

TEST(LineReader, TheLongestLineThatFitsAndTheFirstThatDoesNot) {
  LineReader reader;
  reader.feed(std::string(wire::kMaxLine - 1, 'a') + "\n");
  auto line = reader.next();
  ASSERT_TRUE(line);
  EXPECT_FALSE(line->overlong);
  EXPECT_EQ(line->text.size(), wire::kMaxLine - 1);
  reader.feed(std::string(wire::kMaxLine, 'a') + "\nnext\n");
  line = reader.next();
  ASSERT_TRUE(line);
  EXPECT_TRUE(line->overlong);
  line = reader.next();
  ASSERT_TRUE(line);
  EXPECT_EQ(line->text, "next");
}

TEST(LineReader, AnEndlessLineIsToldOnceAndNotKept) {
  LineReader reader;
  int overlong = 0;
  for (int i = 0; i < 100; ++i) {
    reader.feed(std::string(10'000, 'x'));
    while (const auto line = reader.next()) overlong += line->overlong;
  }
  EXPECT_EQ(overlong, 1);
  reader.feed("\nafter\n");
  const auto line = reader.next();
  ASSERT_TRUE(line);
  EXPECT_EQ(line->text, "after");
}

// As much as the mailbox holds. When each line moved all those behind it, this took half an hour,
// in which no deadline was looked at.
TEST(LineReader, FourMillionEmptyLinesAreNoBurden) {
  LineReader reader;
  reader.feed(std::string(4 << 20, '\n'));
  int lines = 0;
  while (reader.next()) ++lines;
  EXPECT_EQ(lines, 4 << 20);
}

TEST(LineReader, SplitPointsDoNotMatter) {
  std::mt19937 random(7);
  std::string bytes;
  for (int i = 0; i < 200; ++i) bytes += std::string(random() % 50, "abc"[i % 3]) + "\n";
  const auto read = [&](auto step) {
    LineReader reader;
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < bytes.size();) {
      const auto size = step();
      reader.feed(std::string_view(bytes).substr(at, size));
      at += size;
      while (const auto line = reader.next()) lines.push_back(line->text);
    }
    return lines;
  };
  const auto whole = read([&] { return bytes.size(); });
  EXPECT_EQ(whole.size(), 200u);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(read([&] { return 1 + random() % 40; }), whole);
}

}  // namespace
}  // namespace bisect_run::lab
