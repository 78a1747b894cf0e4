#include "config/tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <fstream>
#include <sstream>
#include <utility>

#include "model/try.h"

namespace bisect_run::config {
namespace {

/// What is refused while the events come in; caught in parse_tree.
struct Refused {
  Position at;
  std::string message;
};

Position position(const YAML::Mark& mark) {
  return {mark.line + 1, mark.column + 1};
}

/// Builds the tree from the parser's events. Events instead of YAML::Node, because a Node forgets
/// duplicate keys and resolves aliases before anybody can count them.
class Builder : public YAML::EventHandler {
 public:
  Node take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { add_leaf({}, mark); }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refused{position(mark), "aliases (*name) are not used here; write the value again"};
  }

  void OnAnchor(const YAML::Mark& mark, const std::string&) override {
    throw Refused{position(mark), "anchors (&name) are not used here; remove it"};
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check(mark, tag, anchor);
    Node node;
    node.kind = Node::Kind::scalar;
    node.text = value;
    node.quoted = tag == "!";
    add_leaf(std::move(node), mark);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    check(mark, tag, anchor);
    open(Node::Kind::sequence, mark);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    check(mark, tag, anchor);
    open(Node::Kind::map, mark);
  }
  void OnMapEnd() override { close(); }

 private:
  static void check(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != 0) throw Refused{position(mark), "anchors (&name) are not used here; remove it"};
    if (!tag.empty() && tag != "?" && tag != "!")
      throw Refused{position(mark), "tags (!name) are not used here; remove it"};
  }

  bool key_is_next() const {
    return !open_.empty() && open_.back().kind == Node::Kind::map &&
           open_.back().keys.size() == open_.back().items.size();
  }

  void open(Node::Kind kind, const YAML::Mark& mark) {
    if (key_is_next()) throw Refused{position(mark), "a key must be a plain word"};
    if (open_.size() >= kMaxDepth)
      throw Refused{position(mark), fmt::format("nested deeper than {} levels", kMaxDepth)};
    Node node;
    node.kind = kind;
    node.at = position(mark);
    open_.push_back(std::move(node));
  }

  void close() {
    Node node = std::move(open_.back());
    open_.pop_back();
    place(std::move(node));
  }

  void add_leaf(Node node, const YAML::Mark& mark) {
    node.at = position(mark);
    if (key_is_next())
      add_key(node);
    else
      place(std::move(node));
  }

  void add_key(const Node& node) {
    if (node.kind != Node::Kind::scalar || node.text.empty())
      throw Refused{node.at, "an empty key; write a word before the colon"};
    for (const Key& key : open_.back().keys)
      if (key.text == node.text)
        throw Refused{node.at, fmt::format("'{}' was set before, in line {}; keep one of them",
                                           node.text, key.at.line)};
    open_.back().keys.push_back({node.text, node.at});
  }

  void place(Node node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    auto& items = open_.back().items;
    if (items.size() >= kMaxEntries)
      throw Refused{node.at, fmt::format("more than {} entries in one list or map", kMaxEntries)};
    items.push_back(std::move(node));
  }

  std::vector<Node> open_;
  Node root_;
};

Node read_documents(std::string_view text) {
  std::istringstream in{std::string(text)};
  YAML::Parser parser(in);
  Builder first, second;
  if (!parser.HandleNextDocument(first)) throw Refused{{}, "the file is empty"};
  if (parser.HandleNextDocument(second))
    throw Refused{{}, "more than one YAML document in the file; keep one"};
  return first.take();
}

}  // namespace

Error fault_at(std::string_view file, Position at, std::string_view message) {
  return {ErrorKind::usage, fmt::format("{}:{}:{}: {}", file, at.line, at.column, message), {}};
}

Result<std::string> read_bounded(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status))
    return fail(ErrorKind::usage, fmt::format("{}: no such file", file.string()));
  if (!std::filesystem::is_regular_file(status))
    return fail(ErrorKind::usage, fmt::format("{}: not a regular file", file.string()));
  std::ifstream in(file, std::ios::binary);
  if (!in) return fail(ErrorKind::usage, fmt::format("{}: cannot be read", file.string()));
  std::string text(kMaxFileBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kMaxFileBytes)
    return fail(ErrorKind::usage,
                fmt::format("{}: larger than {} KiB, which no file of this kind needs",
                            file.string(), kMaxFileBytes / 1024));
  return text;
}

Result<Document> parse_tree(std::string_view text, std::string file) {
  if (text.size() > kMaxFileBytes)
    return fail(ErrorKind::usage, fmt::format("{}: larger than 1024 KiB", file));
  if (text.find('\0') != std::string_view::npos)
    return fail(ErrorKind::usage, fmt::format("{}: not a text file (it holds a zero byte)", file));
  try {
    Node root = read_documents(text);
    return Document{std::move(file), std::move(root)};
  } catch (const Refused& refused) {
    return std::unexpected(fault_at(file, refused.at, refused.message));
  } catch (const YAML::Exception& error) {
    return std::unexpected(fault_at(file, position(error.mark), "not valid YAML: " + error.msg));
  } catch (const std::exception& error) {
    return fail(ErrorKind::usage, fmt::format("{}: cannot be read as YAML", file), error.what());
  }
}

}  // namespace bisect_run::config
