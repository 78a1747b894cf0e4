#pragma once

#include "report/facts.h"

// Runs whose reports the tests look at.

namespace bisect_run::test {

using namespace report;

// Numbers whose means and intervals were worked out by hand. At mark 50: geometric means
// sqrt(100*121) = 110 and sqrt(10*12.1) = 11, so the ratio is 0.1. The logarithms of each side
// differ by ln 1.21 = 0.1906204, so each variance is 0.1906204^2/2 = 0.0181681, the standard error
// of the difference sqrt(2*0.0181681/2) = 0.134789 with 2 degrees of freedom, t(0.975, 2)
// = 4.302653: 0.1 * exp(+-0.579950) = 0.0560 and 0.179.
inline ComparisonFacts compared() {
  ComparisonFacts facts;
  facts.run.id = "20261130-141503-k3f9";
  facts.run.status = RunStatus::answered;
  facts.run.scenario = "netns-scaling";
  facts.run.mode = "fork";
  facts.run.marks = {50, 100};
  for (const auto* variant : {"none", "all", "off", "zero"}) {
    Column column;
    column.spec = {"v6.1@" + std::string(variant), {std::string(40, 'a')}, {}, variant};
    column.machine = {2, 512, "tcg", "real"};
    column.boots = 2;
    facts.columns.push_back(column);
  }
  facts.columns[3].boots = 0;
  facts.columns[3].reason =
      "CPU 0 cannot be offloaded in a tree without RCU_NOCB_CPU_ZERO (3.8, 3.9)";
  Series rates{{"add+exec", "items/s", stats::Better::higher}, "netns-scaling", {}};
  rates.rows = {{50, {{{100, 121}}, {{10, 12.1}}, {{100}}, {}}},
                {100, {{{80}}, {{10}}, {{40, 160}}, {}}}};
  Series counters{{"cycles", "count", stats::Better::lower}, "netns-scaling", {}};
  counters.rows = {{0, {{{5}}, {{}, true}, {{10}}, {}}}};
  facts.series = {rates, counters};
  judge_table(facts);
  return facts;
}

inline BisectFacts answered() {
  BisectFacts facts;
  facts.run.id = "20261130-141503-k3f9";
  facts.run.status = RunStatus::answered;
  facts.run.repository = "/srv/git/my linux";
  facts.run.scenario = "netns-scaling";
  facts.run.mode = "fork";
  facts.run.marks = {50, 100};
  facts.run.host_cpu = "Some CPU @ 2.5GHz";
  facts.run.host_cpus = 2;
  facts.run.host_kernel = "6.1.0";
  facts.run.qemu = "7.2";
  facts.good = {"v6.1", {std::string(40, 'a')}, {}, "none"};
  facts.bad = {"", {std::string(40, 'b')}, {}, "none"};
  facts.metric.name = "add+exec";
  facts.mark = 50;
  facts.machine = {2, 512, "tcg", "real"};
  Answer answer;
  answer.kind = Answer::Kind::commit;
  answer.commits = {{{std::string(40, 'c')}, "nsproxy: wait for a grace period", 0, {}}};
  answer.effect = -0.942;
  answer.effect_low = -0.951;
  answer.effect_high = -0.93;
  answer.confidence = 0.992;
  facts.answer = answer;
  facts.probes = {{{std::string(40, 'a')}, "Linux 6.1", Outcome::good, "like good", 3, 742.1},
                  {{std::string(40, 'd')},
                   "net: \033[31mred",
                   Outcome::skip,
                   "does not build: kernel/nsproxy.c:42: error: expected ';' before '}' token",
                   0,
                   {}},
                  {{std::string(40, 'c')},
                   "nsproxy: wait for a grace period",
                   Outcome::bad,
                   "like bad",
                   3,
                   37.31}};
  facts.cost = {7, 2, 28, 720, 180, 1000};
  return facts;
}

/// The configuration changes with the answer, and is the cause.
inline ConfigChange induced() {
  return {.parent = {std::string(40, 'd')},
          .differences = {{"RCU_NOCB_CPU_ALL", "-", "y"},
                          {"boot arguments", "rcu_nocbs=1-{last}", "-"}},
          .equivalent = "all-by-list",
          .cause = ConfigChange::Cause::configuration,
          .reason =
              "the parent dddddddddddd is at the new level, too, with the same by boot "
              "arguments (all-by-list)",
          .value = 36.5};
}

/// The same with all that a mail and a page have; whoever wrote the texts meant no good.
inline BisectFacts told_in_full() {
  auto facts = answered();
  facts.run.version = "0.1.0";
  facts.run.started = "2026-11-30 14:15:03 UTC";
  facts.answer->commits.front().subject =
      "net: <script>alert('x')</script> & M\xc3\xbcller's \"quotes\", a subject long enough to "
      "wrap";
  facts.probes[2].subject = facts.answer->commits.front().subject;
  facts.probes[1].reason += " reported to someone@example.org";
  BuiltKernel kernel{.name = "v6.1",
                     .commit = {std::string(40, 'a')},
                     .variant = "none",
                     .release = "6.1.0",
                     .compiler = "gcc (Debian 12.2.0-14) 12.2.0",
                     .hz = "250",
                     .preemption = "PREEMPT_VOLUNTARY",
                     .offloaded = ""};
  kernel.remedies = {{"compiler-header", "adds include/linux/compiler-gcc12.h"}};
  kernel.ledger = {{"SMP", "y", "y", LedgerFate::kept, true},
                   {"RCU_LAZY", "n", "", LedgerFate::unknown_symbol, false}};
  facts.run.kernels = {kernel};
  facts.run.differ_first = "v6.1@none";
  facts.run.differ_second = "bbbbbbbbbbbb@none";
  facts.run.differences = {
      {{"remedy compiler-header", "applied", "-"}, {"RCU_NOCB_CPU", "n", "y"}}};
  facts.run.failures = {{facts.bad, BootOutcome::panic, "it panicked",
                         "BUG: <img src=x onerror=alert(1)>\n</pre><h1>out</h1>\033[0m"}};
  facts.boots = {{.commit = {std::string(40, 'a')}, .place = 0, .at_s = 30, .value = 742.1},
                 {.commit = {std::string(40, 'b')},
                  .place = 3,
                  .at_s = 60,
                  .outcome = BootOutcome::panic,
                  .reason = "it panicked"},
                 {.commit = {std::string(40, 'c')}, .place = 2, .at_s = 90, .value = 37.31}};
  facts.answer->verified = -0.94;
  facts.answer->separation = 12.5;
  facts.answer->revert = RevertOutcome{"partial", "", 0.6, 0.05, 6};
  facts.answer->further = {{.commits = {{{std::string(40, 'e')}, "and <b>another</b>", 0, {}}},
                            .before = true,
                            .reason = "",
                            .effect = -0.2,
                            .effect_low = -0.22,
                            .effect_high = -0.18,
                            .confidence = 0.995}};
  facts.answer->rest = -0.001;
  facts.answer->search_for_more = "no further commit changes the level (probability 99.5 %)";
  facts.answer->config_change = induced();
  facts.answer->config_change->cause = ConfigChange::Cause::commit;
  facts.probes.push_back({{std::string(40, 'f')}, "a side branch", Outcome::good, "", 2, 740});
  facts.beside = {{std::string(40, 'f')}};
  facts.candidates = 3;
  facts.suspicion = {0.004, 0.992, 0.004};
  auto levels = compared();
  levels.run = facts.run;
  levels.columns.resize(2);
  for (auto& series : levels.series)
    for (auto& row : series.rows) row.cells.resize(2);
  judge_table(levels);
  facts.levels = levels;
  return facts;
}

}  // namespace bisect_run::test
