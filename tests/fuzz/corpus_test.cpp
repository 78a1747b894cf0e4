// Everything in corpus/ once through its fuzzer: what was found and mended stays so, on any
// compiler. A fuzzer that is not content aborts.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "support/temp_dir.h"

#define FUZZER(NAME, ENTRY, MORE) extern "C" int ENTRY(const std::uint8_t* data, std::size_t size);
#include "fuzzers.inc"
#undef FUZZER

namespace bisect_run {
namespace {

struct Fuzzer {
  const char* name;
  int (*entry)(const std::uint8_t*, std::size_t);
  const char* more;  ///< directories of the tree, parted by semicolons
};

void PrintTo(const Fuzzer& fuzzer, std::ostream* out) {
  *out << fuzzer.name;
}

#define FUZZER(NAME, ENTRY, MORE) Fuzzer{#NAME, ENTRY, MORE},
const std::vector<Fuzzer> kFuzzers{
#include "fuzzers.inc"
};
#undef FUZZER

std::vector<std::filesystem::path> files_of(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

class Corpus : public testing::TestWithParam<Fuzzer> {
 protected:
  /// Runs all files of a directory; returns their number.
  std::size_t replay(const std::filesystem::path& directory) const {
    const auto files = files_of(directory);
    for (const auto& file : files) {
      // An abort ends the program: what it stood at must be on the screen by then.
      std::fprintf(stderr, "%s\n", file.c_str());
      const auto bytes = test::read_file(file);
      GetParam().entry(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    return files.size();
  }
};

TEST_P(Corpus, RunsWithoutAFinding) {
  const std::filesystem::path top = BISECT_RUN_SOURCE_DIR;
  EXPECT_GT(replay(top / "tests" / "fuzz" / "corpus" / GetParam().name), 0u);
  std::istringstream more(GetParam().more);
  for (std::string directory; std::getline(more, directory, ';');) replay(top / directory);
  GetParam().entry(nullptr, 0);
}

INSTANTIATE_TEST_SUITE_P(All, Corpus, testing::ValuesIn(kFuzzers),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace bisect_run
