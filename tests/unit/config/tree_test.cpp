#include "config/tree.h"

#include <gtest/gtest.h>

#include <random>

namespace bisect_run::config {
namespace {

std::string message(std::string_view text) {
  const auto tree = parse_tree(text, "f.yaml");
  return tree ? "accepted" : tree.error().message;
}

TEST(Tree, KeepsOrderPlacesAndQuotes) {
  const auto tree = parse_tree("b: 1\na:\n  - 'x'\n  - [y, ~]\n", "f.yaml");
  ASSERT_TRUE(tree) << tree.error().message;
  const Node& root = tree->root;
  ASSERT_EQ(root.keys.size(), 2u);
  EXPECT_EQ(root.keys[0].text, "b");
  EXPECT_EQ(root.keys[1].at.line, 2);
  EXPECT_EQ(root.keys[1].at.column, 1);
  const Node& list = root.items[1];
  ASSERT_EQ(list.items.size(), 2u);
  EXPECT_TRUE(list.items[0].quoted);
  EXPECT_EQ(list.items[0].at.line, 3);
  EXPECT_EQ(list.items[0].at.column, 5);
  EXPECT_FALSE(root.items[0].quoted);
  EXPECT_EQ(list.items[1].items[1].kind, Node::Kind::null);
}

TEST(Tree, RefusesWhatOurFilesDoNotNeed) {
  EXPECT_EQ(message("a: 1\nb: 2\na: 3\n"),
            "f.yaml:3:1: 'a' was set before, in line 1; keep one of them");
  EXPECT_EQ(message("a: &x 1\n"), "f.yaml:1:4: anchors (&name) are not used here; remove it");
  EXPECT_EQ(message("a: &x [1]\n"), "f.yaml:1:4: anchors (&name) are not used here; remove it");
  EXPECT_NE(message("a: 1\n<<: *x\n").find("f.yaml:2:"), std::string::npos);
  EXPECT_EQ(message("a: !!int 1\n"), "f.yaml:1:4: tags (!name) are not used here; remove it");
  EXPECT_EQ(message("? [a, b]\n: 1\n"), "f.yaml:1:3: a key must be a plain word");
  EXPECT_EQ(message("a: 1\n---\nb: 2\n"),
            "f.yaml:1:1: more than one YAML document in the file; keep one");
  EXPECT_EQ(message(""), "f.yaml:1:1: the file is empty");
  EXPECT_EQ(message(std::string("a: \0b\n", 6)), "f.yaml: not a text file (it holds a zero byte)");
  EXPECT_NE(message("a: [1, 2\n").find("not valid YAML"), std::string::npos);
}

TEST(Tree, BombsStaySmall) {
  EXPECT_NE(message("a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n").find("anchors"), std::string::npos);
  const std::string open(20, '['), close(20, ']');
  EXPECT_EQ(message(open + close), "f.yaml:1:17: nested deeper than 16 levels");
  EXPECT_NE(message(std::string(100'000, '[')), "accepted");
  EXPECT_NE(message(std::string(100'000, '{')), "accepted");
  EXPECT_EQ(message(open.substr(4) + close.substr(4)), "accepted");
  EXPECT_NE(message(std::string(kMaxFileBytes + 1, 'a')).find("larger than"), std::string::npos);
}

// Every key is compared with those before it: a megabyte of them would take minutes.
TEST(Tree, ListsAndMapsAreBounded) {
  std::string keys, items = "a:\n";
  for (std::size_t i = 0; i <= kMaxEntries; ++i) {
    if (i == kMaxEntries) {
      EXPECT_EQ(message(keys), "accepted");
      EXPECT_EQ(message(items), "accepted");
    }
    keys += "k" + std::to_string(i) + ": 1\n";
    items += "- 1\n";
  }
  const std::string refusal = "more than 4096 entries in one list or map";
  EXPECT_EQ(message(keys), "f.yaml:4097:8: " + refusal);
  EXPECT_EQ(message(items), "f.yaml:4098:3: " + refusal);
}

// The reader must answer every input, whatever it holds, without a crash or an exception.
TEST(Tree, AnswersBrokenInput) {
  const std::string good =
      "name: x\nlist:\n  - a: {b: [1, 'two', \"3\"]}\n  - ~\ntext: |\n  lines\n";
  const std::string bytes = ":-[]{}#&*!|>'\"%@`?\t\n ,ab\x80\xff";
  std::mt19937 random(7);
  for (int round = 0; round < 5000; ++round) {
    std::string text = good;
    for (int change = 0; change < 3; ++change)
      text[random() % text.size()] = bytes[random() % bytes.size()];
    const auto tree = parse_tree(text, "f.yaml");
    if (!tree) {
      EXPECT_EQ(tree.error().kind, ErrorKind::usage) << text;
    }
  }
}

}  // namespace
}  // namespace bisect_run::config
