#include "wire/readme.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "support/temp_dir.h"
#include "wire/operations.h"

namespace bisect_run::wire {
namespace {

const std::string kFile = std::string(BISECT_RUN_SOURCE_DIR) + "/scenarios/README.md";

// BISECT_RUN_ACCEPT=1 writes the page anew.
TEST(ReadmeTest, ThePageInTheTreeIsCurrent) {
  if (std::getenv("BISECT_RUN_ACCEPT")) test::write_file(kFile, scenarios_readme());
  EXPECT_EQ(test::read_file(kFile), scenarios_readme())
      << "run this test again with BISECT_RUN_ACCEPT=1 and look at the difference";
}

TEST(ReadmeTest, NamesEveryOperationAndParameter) {
  const std::string page = scenarios_readme();
  for (const OperationSpec& spec : operations()) {
    EXPECT_NE(page.find("### `" + std::string(spec.name) + "`"), std::string::npos);
    for (const ParameterSpec& parameter : spec.parameters)
      EXPECT_NE(page.find("| `" + std::string(parameter.name) + "` |"), std::string::npos);
  }
}

TEST(OutputMetricTest, IsNamedAfterTheLoop) {
  EXPECT_EQ(output_metric("atomic.4", "cycles"), "atomic.4.cycles");
}

}  // namespace
}  // namespace bisect_run::wire
