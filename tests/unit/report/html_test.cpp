#include "report/html.h"

#include <gtest/gtest.h>

#include "examples.h"
#include "report/base64.h"
#include "report/html_parts.h"
#include "report/plots.h"

namespace bisect_run::report {
namespace {

/// Every `<` of a page that is not one of ours would begin an element that somebody else wrote.
void expect_escaped(const std::string& page) {
  for (const auto* foreign : {"<script", "<img", "<h1>out", "<b>", "onerror=alert(1)>", "\033"})
    EXPECT_EQ(page.find(foreign), std::string::npos) << foreign;
}

TEST(Page, EscapesWhatTheRepositoryAndTheGuestSay) {
  const auto page = html_text(test::told_in_full(), {});
  expect_escaped(page);
  EXPECT_NE(page.find("net: &lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; M\xc3\xbcller"),
            std::string::npos);
  EXPECT_NE(page.find("&lt;/pre&gt;&lt;h1&gt;out&lt;/h1&gt;"), std::string::npos);
}

TEST(Page, EscapesTheNamesOfAComparison) {
  auto facts = test::compared();
  facts.columns[1].spec.text = "<script>x</script>";
  facts.columns[1].spec.variant = "\"><img src=x>";
  facts.series[0].metric.name = "<b>add</b>";
  facts.run.message = "<script>";
  PageData data;
  data.no_plots = "<script>";
  data.plots = {{"<b>title</b>\"><script>", "<svg></svg>", "<svg></svg>"}};
  expect_escaped(html_text(facts, data));
}

TEST(Page, TheAnswerComesFirst) {
  const auto page = html_text(test::told_in_full(), {});
  const auto body = page.find("<body>");
  EXPECT_LT(page.find("cccccccccccc", body), page.find("94.2", body));
  EXPECT_LT(page.find("bisect-run compare", body), page.find("Evidence", body));
  EXPECT_LT(page.find("Evidence", body), page.find("Provenance", body));
}

TEST(Page, TellsWhatStandsBehindTheAnswerAndTheOtherChanges) {
  const auto page = html_text(test::told_in_full(), {});
  for (const auto* part :
       {"<strong>partial</strong><span>by its revert on top of BAD</span>",
        "it brings back 60 % of the difference", "config-induced: this commit changes",
        "<dd>RCU_NOCB_CPU_ALL: - in the parent, y here</dd>", "the commit&#39;s code: ",
        "<h2>A further change, before that</h2>", "and &lt;b&gt;another&lt;/b&gt;",
        "on a branch without cccccccccccc</td>", "compiler-header: adds include/linux"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  const auto plot = plots_of(test::told_in_full()).front();
  EXPECT_NE(plot.title.find("lie on branches that do not have it"), std::string::npos);
}

TEST(Page, BringsEverythingAlong) {
  PageData data;
  data.samples_csv = "a,b\n1,2\n";
  const auto page = html_text(test::told_in_full(), data);
  EXPECT_NE(page.find("href=\"data:text/csv;base64," + base64(data.samples_csv) + "\""),
            std::string::npos);
  for (const auto* outside : {"http://", "https://", "<img", "@import", "url("})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
}

TEST(Plots, TextsCannotBecomeCommands) {
  EXPECT_EQ(plot_text("v3.15+fix.patch@all"), "'v3.15+fix.patch@all'");
  EXPECT_EQ(plot_text("'; system(\"rm\") `x` $a {b}\n"), "'_; system(_rm_) _x_ _a _b__'");
  EXPECT_EQ(plot_text("M\xc3\xbcller"), "'M_ller'");
}

TEST(Plots, InlinedSvgKeepsItsNamesToItself) {
  EXPECT_EQ(inline_svg("<?xml?><!DOCTYPE x><svg><title>Gnuplot</title><desc>by</desc>"
                       "<g id='a'/><use href='#a' fill=\"url(#b)\"/></svg>",
                       3),
            "<svg><g id='p3a'/><use href='#p3a' fill=\"url(#p3b)\"/></svg>");
  EXPECT_EQ(inline_svg("", 1), "");
}

TEST(Plots, ManyKernelsAreAHistory) {
  auto facts = test::compared();
  EXPECT_EQ(plots_of(facts).front().title.find("over releases"), std::string::npos);
  for (int i = 0; i < 6; ++i) {
    facts.columns.push_back(facts.columns[0]);
    facts.columns.back().spec.text = "v6." + std::to_string(i + 2);
    for (auto& series : facts.series)
      for (auto& row : series.rows) row.cells.push_back(row.cells[0]);
  }
  const auto plot = plots_of(facts).front();
  EXPECT_NE(plot.title.find("over releases"), std::string::npos);
  EXPECT_NE(plot.script.find("'v6.7' 6"), std::string::npos) << plot.script;
}

// RFC 4648, section 10.
TEST(Base64, TestVectors) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xff\xfe"), "///+");
}

}  // namespace
}  // namespace bisect_run::report
