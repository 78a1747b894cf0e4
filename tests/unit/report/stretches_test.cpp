#include "report/stretches.h"

#include <gtest/gtest.h>

namespace bisect_run::report {
namespace {

Probe probe(char letter, Outcome outcome, std::string reason = {}) {
  Probe made;
  made.oid.hex = std::string(40, letter);
  made.outcome = outcome;
  made.reason = std::move(reason);
  return made;
}

std::string shape(const std::vector<Probe>& probes) {
  std::string text;
  for (const auto& stretch : skipped_stretches(probes)) {
    for (const auto& oid : stretch.commits) text += oid.hex[0];
    text += "=" + stretch.reason + ";";
  }
  return text;
}

TEST(Stretches, NeighboursWithOneFirstErrorAreOne) {
  EXPECT_EQ(shape({probe('a', Outcome::good),
                   probe('b', Outcome::skip, "failed: mm.h:336:12: error: x (log: /l/1)"),
                   probe('c', Outcome::skip, "failed: mm.h:401:9: error: x (log: /l/2)"),
                   probe('d', Outcome::skip, "failed: net.h:401:9: error: x (log: /l/3)"),
                   probe('e', Outcome::bad)}),
            "bc=failed: mm.h:336:12: error: x (log: /l/1);"
            "d=failed: net.h:401:9: error: x (log: /l/3);");
}

TEST(Stretches, ATestedCommitBetweenThemParts) {
  EXPECT_EQ(shape({probe('a', Outcome::skip, "x"), probe('b', Outcome::undecided),
                   probe('c', Outcome::skip, "x"), probe('d', Outcome::abort, "x")}),
            "a=x;cd=x;");
}

TEST(Stretches, NumbersThatAreNoLinesCount) {
  EXPECT_EQ(shape({probe('a', Outcome::skip, "the boot failed 2 times: panic"),
                   probe('b', Outcome::skip, "the boot failed 3 times: panic")}),
            "a=the boot failed 2 times: panic;b=the boot failed 3 times: panic;");
  EXPECT_EQ(shape({}), "");
}

}  // namespace
}  // namespace bisect_run::report
