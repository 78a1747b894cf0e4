#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

#include "support/temp_dir.h"

namespace bisect_run::test {

/// Compares a text with tests/data/report/NAME. The files were written by hand; after a change of
/// layout `BISECT_RUN_ACCEPT=1 unit_report` writes them anew, to be read before they are committed.
inline void expect_golden(const std::string& name, const std::string& text) {
  const auto file =
      std::filesystem::path(BISECT_RUN_SOURCE_DIR) / "tests" / "data" / "report" / name;
  if (std::getenv("BISECT_RUN_ACCEPT") != nullptr) write_file(file, text);
  EXPECT_EQ(text, read_file(file)) << file;
}

/// Plain ASCII of at most 78 columns, without tabs and without blanks at the ends of lines.
inline void expect_plain(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 78u) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line << "|";
    for (const unsigned char c : line) EXPECT_TRUE(c >= 0x20 && c < 0x7f) << line;
  }
  EXPECT_TRUE(text.ends_with('\n'));
}

}  // namespace bisect_run::test
