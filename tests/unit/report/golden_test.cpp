// Every format of every kind of run, as a file that a person has read. After a change of layout
// `BISECT_RUN_ACCEPT=1 tests/run -R Golden` writes them anew, to be read before they are committed.
#include "golden.h"

#include "examples.h"
#include "report/bisect_report.h"
#include "report/compare_report.h"
#include "report/html.h"
#include "report/mail.h"
#include "report/plots.h"
#include "report/samples_csv.h"

namespace bisect_run::report {
namespace {

using test::answered;
using test::compared;
using test::expect_golden;
using test::told_in_full;

PageData page_data() {
  PageData data;
  data.plots = {{"a plot", "<?xml version='1.0'?><svg><g id='a'/></svg>", "<svg></svg>"}};
  data.samples_csv = "run\n1\n";
  data.json = "{}\n";
  return data;
}

std::string scripts(const std::vector<Plot>& plots) {
  std::string text;
  for (const auto& plot : plots) text += "# " + plot.title + "\n" + plot.script;
  return text;
}

TEST(Golden, BisectText) {
  const auto text = bisect_text(answered());
  test::expect_plain(text);
  expect_golden("bisect.txt", text);
}

TEST(Golden, BisectShow) {
  auto facts = answered();
  facts.run.status = RunStatus::running;
  facts.run.live = true;
  facts.run.left_s = 750;
  facts.answer.reset();
  facts.recent = {"    12 s  build dddddddddddd"};
  expect_golden("bisect-show.txt", show_text(facts));
}

TEST(Golden, BisectJson) {
  expect_golden("bisect.json", bisect_json(answered()));
}
TEST(Golden, BisectMail) {
  expect_golden("bisect.mail", mail_text(told_in_full()));
}

TEST(Golden, BisectPage) {
  expect_golden("bisect.html", html_text(told_in_full(), page_data()));
}

TEST(Golden, BisectPlots) {
  expect_golden("bisect.gnuplot", scripts(plots_of(told_in_full())));
}

TEST(Golden, CompareText) {
  const auto text = compare_text(compared());
  test::expect_plain(text);
  expect_golden("compare.txt", text);
}

TEST(Golden, CompareJson) {
  expect_golden("compare.json", compare_json(compared()));
}

TEST(Golden, CompareMail) {
  const auto text = mail_text(compared());
  test::expect_plain(text);
  expect_golden("compare.mail", text);
}

TEST(Golden, ComparePage) {
  expect_golden("compare.html", html_text(compared(), page_data()));
}
TEST(Golden, ComparePlots) {
  expect_golden("compare.gnuplot", scripts(plots_of(compared())));
}

TEST(Golden, Samples) {
  BootRecord record;
  record.id = 7;
  record.spec = {"v6.1, \"mine\"", {std::string(40, 'a')}, {}, "none"};
  record.boot.machine = {2, 512, "tcg", "real"};
  record.boot.outcome = BootOutcome::complete;
  record.ended_at = 12.3456;
  Sample rate, counter;
  rate.metric = "add+exec";
  rate.mark = 50;
  rate.items = 10;
  rate.wall_ns = 20'000'000;
  rate.user_ns = 5;
  counter.metric = "cycles";
  counter.unit = "count";
  record.samples = {rate, counter};
  auto csv = samples_header();
  append_samples(csv, answered().run, record);
  expect_golden("samples.csv", csv);
}

}  // namespace
}  // namespace bisect_run::report
