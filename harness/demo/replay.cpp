#include "demo/replay.h"

#include <fmt/format.h>

#include <set>
#include <utility>
#include <vector>

#include "model/try.h"

namespace bisect_run::demo {
namespace {

constexpr const char* author = "Demo Author <demo@bisect-run.invalid>";
constexpr std::int64_t first_time = 1672574400;  // 2023-01-01 12:00 UTC
constexpr std::int64_t time_step = 3600;

struct Tip {
  Oid commit, tree;
  std::vector<std::size_t> picks;  ///< all patches below, by number, in the order of the recipe
};

class Replay {
 public:
  Replay(git::HistoryWriter& writer, const Recipe& recipe, const Oid& root)
      : writer_(writer), recipe_(recipe) {
    tips_["main"] = Tip{root, root, {}};
  }

  Status step(std::size_t number) {
    const Step& step = recipe_.steps[number];
    switch (step.kind) {
      case Step::Kind::root:
        return {};
      case Step::Kind::pick:
        return pick(number);
      case Step::Kind::merge:
        return merge(number, step);
      case Step::Kind::branch:
        tips_[step.name] = tips_[current_];
        current_ = step.name;
        return {};
      case Step::Kind::switch_to:
        if (!tips_.contains(step.name)) return unknown(step.name);
        current_ = step.name;
        return {};
      case Step::Kind::mark:
        marks[step.name] = tips_[current_].commit;
        return {};
    }
    return fail(ErrorKind::bug, "a step of no kind");
  }

  Status publish() {
    for (const auto& [name, tip] : tips_)
      BR_TRY(writer_.set_reference("refs/heads/" + name, tip.commit));
    return {};
  }

  Marks marks;

 private:
  static std::unexpected<Error> unknown(const std::string& branch) {
    return fail(ErrorKind::usage, fmt::format("recipe.txt: there is no branch {}", branch));
  }

  Status pick(std::size_t number) {
    Tip& tip = tips_[current_];
    const Patch& patch = recipe_.patches[next_pick_];
    BR_TRY_ASSIGN(tip.tree, writer_.patched_tree(tip.tree, {patch}));
    git::NewCommit commit = new_commit(number, message_of(patch));
    commit.tree = tip.tree;
    commit.parents = {tip.commit};
    BR_TRY_ASSIGN(tip.commit, writer_.commit(commit));
    tip.picks.push_back(next_pick_++);
    return {};
  }

  /// Topics touch files of their own: joining means applying their patches here once more.
  Status merge(std::size_t number, const Step& step) {
    if (!tips_.contains(step.name)) return unknown(step.name);
    Tip& tip = tips_[current_];
    const Tip& other = tips_[step.name];
    const std::set<std::size_t> here(tip.picks.begin(), tip.picks.end());
    std::vector<Patch> missing;
    for (const std::size_t number_of_pick : other.picks) {
      if (here.contains(number_of_pick)) continue;
      missing.push_back(recipe_.patches[number_of_pick]);
      tip.picks.push_back(number_of_pick);
    }
    BR_TRY_ASSIGN(tip.tree, writer_.patched_tree(tip.tree, missing));
    git::NewCommit commit = new_commit(number, step.subject + '\n');
    commit.tree = tip.tree;
    commit.parents = {tip.commit, other.commit};
    BR_TRY_ASSIGN(tip.commit, writer_.commit(commit));
    return {};
  }

  git::HistoryWriter& writer_;
  const Recipe& recipe_;
  std::map<std::string, Tip> tips_;
  std::string current_ = "main";
  std::size_t next_pick_ = 0;
};

}  // namespace

git::NewCommit new_commit(std::size_t step, std::string message) {
  git::NewCommit commit;
  commit.author = author;
  commit.time = first_time + static_cast<std::int64_t>(step) * time_step;
  commit.message = std::move(message);
  return commit;
}

Result<Marks> replay(git::HistoryWriter& writer, const Recipe& recipe, const Oid& root,
                     const std::function<Status(std::size_t)>& step_done) {
  Replay replay(writer, recipe, root);
  for (std::size_t number = 0; number < recipe.steps.size(); ++number) {
    BR_TRY(replay.step(number));
    BR_TRY(step_done(number + 1));
  }
  BR_TRY(replay.publish());
  return std::move(replay.marks);
}

}  // namespace bisect_run::demo
