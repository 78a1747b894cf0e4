#include "report/mail.h"

#include <gtest/gtest.h>

#include <sstream>

#include "examples.h"

namespace bisect_run::report {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Mail, TheFirstTenLinesSayWhatHowSureAndHowToRepeat) {
  const auto lines = lines_of(mail_text(test::told_in_full()));
  std::string first;
  for (std::size_t i = 0; i < 10; ++i) first += lines.at(i) + "\n";
  EXPECT_NE(first.find("add+exec is 94.2 % lower"), std::string::npos) << first;
  EXPECT_NE(first.find("Fixes: cccccccccccc (\""), std::string::npos) << first;
  EXPECT_NE(first.find("Confidence 99.2 %"), std::string::npos) << first;
  EXPECT_NE(first.find("bisect-run compare"), std::string::npos) << first;
}

TEST(Mail, OnlySubjectsMayBeWiderThan78OrNoAscii) {
  for (const auto& line : lines_of(mail_text(test::told_in_full()))) {
    if (line.starts_with("Fixes: cccccccccccc")) {
      EXPECT_NE(line.find("M\xc3\xbcller"), std::string::npos);
      EXPECT_GT(line.size(), 78u);  // not wrapped
      continue;
    }
    if (line.find("cccccccccccc net: ") != std::string::npos) continue;
    EXPECT_LE(line.size(), 78u) << line;
    for (const unsigned char c : line) EXPECT_TRUE(c >= 0x20 && c < 0x7f) << line;
  }
}

TEST(Mail, NoAddressUnlessItIsAskedFor) {
  auto facts = test::told_in_full();
  facts.answer->commits.front().subject = "MAINTAINERS: a.b+c@kernel.example moves";
  facts.run.repository = "/srv/someone@host.example/linux";
  EXPECT_EQ(mail_text(facts).find("example.org"), std::string::npos);
  EXPECT_EQ(mail_text(facts).find("kernel.example"), std::string::npos);
  EXPECT_EQ(mail_text(facts).find("/srv/"), std::string::npos);
  facts.people = {"A B <a@b.example>"};
  EXPECT_TRUE(mail_text(facts).ends_with("\nCc: A B <a@b.example>\n")) << mail_text(facts);
}

TEST(Mail, AddressesAreToldFromKernelsAndRevisions) {
  EXPECT_EQ(without_addresses("by someone@example.org, twice x.y@z.de!"),
            "by <address>, twice <address>!");
  for (const auto* kept : {"v3.15@all", "HEAD@{1}", "@", "a@", "@b.c", "demo-good@none.", "@@x.y"})
    EXPECT_EQ(without_addresses(kept), kept);
}

TEST(Mail, TellsWhatStandsBehindTheAnswerAndTheOtherChanges) {
  auto facts = test::told_in_full();
  const auto text = mail_text(facts);
  for (const auto* part :
       {"Revert partial. One of 2 changes.", "it brings back 60 %",
        "config-induced: this commit changes", "  cause        the commit's code: ",
        "\nA further change, before that:\nFixes: eeeeeeeeeeee (\"and <b>another</b>\")\n",
        "bbbbbbbbbbbb@none differ: remedy compiler-header"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  // Nothing is to be fixed in a commit whose configuration did it, or that made it better.
  facts.answer->config_change->cause = ConfigChange::Cause::configuration;
  EXPECT_NE(mail_text(facts).find("\nConfig-induced by: cccccccccccc (\""), std::string::npos);
  facts.find_fix = true;
  EXPECT_NE(mail_text(facts).find("\nFixed by: cccccccccccc (\""), std::string::npos);
  facts.answer->effect = 2751;
  EXPECT_TRUE(mail_text(facts).starts_with("netns-scaling: add+exec is 2752 times as high since"));
}

TEST(Mail, NamesNoLogOfThisMachine) {
  auto facts = test::told_in_full();
  facts.probes[1].reason = "failed: error (log: /home/me/.cache/bisect-run/logs/1.log)";
  EXPECT_EQ(mail_text(facts).find("/home/me"), std::string::npos);
  EXPECT_NE(mail_text(facts).find("failed: error\n"), std::string::npos);
}

TEST(Mail, SaysWhyThereIsNoAnswer) {
  auto facts = test::told_in_full();
  facts.answer = Answer{};
  facts.run.status = RunStatus::refused;
  facts.run.message = "both ends are alike";
  const auto text = mail_text(facts);
  EXPECT_TRUE(text.starts_with("netns-scaling: refused: no difference to search for")) << text;
  EXPECT_NE(text.find("Why: both ends are alike"), std::string::npos);
  EXPECT_NE(text.find("bisect-run v6.1"), std::string::npos);
}

}  // namespace
}  // namespace bisect_run::report
