#include "bisect/posterior_course.h"

#include <algorithm>
#include <optional>
#include <set>

namespace bisect_run::bisect {
namespace {

using Failures = std::map<Node, std::string>;

struct Favourite {
  std::vector<Node> commits;
  std::vector<Node> outsiders;  ///< only looked at where no commit is left

  bool operator==(const Favourite& other) const {
    return commits == other.commits && (!commits.empty() || outsiders == other.outsiders);
  }
};

class Replay {
 public:
  Replay(const Graph& graph, const PosteriorSettings& settings, const Failures& failures)
      : graph_(graph), settings_(settings), failures_(failures) {}

  void count(const Step& step);
  void judge(const Step& step);
  void note_verified();
  bool over(std::size_t boots) const;
  Course finish(std::size_t boots) const;

 private:
  bool settled(const Favourite& favourite) const;
  std::vector<Node> witnesses(const Favourite& favourite) const;
  int made(Node node) const;
  std::vector<Node>::const_iterator laggard() const;

  const Graph& graph_;
  const PosteriorSettings& settings_;
  const Failures& failures_;
  std::map<Node, int> boots_;
  Course course_;
  std::size_t seen_ = 0, verifying_from_ = 0;  // steps
  bool apart_ = false;
  bool accepted_ = false, nothing_ = false;
  std::optional<Favourite> verified_, verifying_;
  std::vector<Node> turn_;
  std::map<Node, int> before_;  ///< boots when the verification began
};

void Replay::count(const Step& step) {
  bool end = false;
  ++seen_;
  for (Node node : step.boot.nodes) {
    ++boots_[node];
    end = end || node == graph_.good() || node == graph_.bad();
  }
  if (!step.apart) return;
  if (!apart_ || end) course_.control_time_s = step.boot.time_s;
  if (apart_ && end) ++course_.controls;
  apart_ = true;
}

void Replay::judge(const Step& step) {
  if (!step.apart) return;
  nothing_ = step.nothing_mass >= settings_.accept;
  if (verifying_ && laggard() == turn_.end()) note_verified();
  if (verifying_ || step.favourite_mass < settings_.enter) return;
  Favourite favourite{*step.favourite, *step.outsiders};
  if (!settled(favourite)) return;
  if (verified_ != favourite) {
    turn_ = witnesses(favourite);
    before_ = boots_;
    verifying_ = std::move(favourite);
    verifying_from_ = seen_;
    if (laggard() != turn_.end()) return;
    note_verified();
  }
  accepted_ = step.favourite_mass >= settings_.accept;
}

void Replay::note_verified() {
  verified_ = std::move(verifying_);
  verifying_.reset();
  course_.verified_from = verifying_from_;
  course_.verified_to = seen_;
}

/// Nothing inside is left to be told apart: one commit, or all others are known failures.
bool Replay::settled(const Favourite& favourite) const {
  if (favourite.commits.size() <= 1) return true;
  int failed = 0;
  bool untested = false;
  for (Node node : favourite.commits) {
    if (failures_.contains(node))
      ++failed;
    else
      untested = untested || !boots_.contains(node);
    if (failed >= settings_.most_skips) return true;
  }
  return !untested;
}

/// Parents first, then what they are compared with. One commit is compared with all its parents,
/// built for the purpose if need be; a set with what has been built around it.
std::vector<Node> Replay::witnesses(const Favourite& favourite) const {
  const std::vector<Node>& members =
      favourite.commits.empty() ? favourite.outsiders : favourite.commits;
  const bool one = favourite.commits.size() == 1;
  std::vector<Node> parents, turn;
  for (Node member : members) {
    for (Node parent : graph_.parents(member)) {
      const bool inside = std::binary_search(members.begin(), members.end(), parent);
      const bool known = std::find(parents.begin(), parents.end(), parent) != parents.end();
      if (inside || known || failures_.contains(parent)) continue;
      if (one || boots_.contains(parent)) parents.push_back(parent);
    }
    if (!failures_.contains(member) && (one || boots_.contains(member))) turn.push_back(member);
  }
  if (parents.empty()) parents.push_back(graph_.good());
  turn.insert(turn.begin(), parents.begin(), parents.end());
  return turn;
}

int Replay::made(Node node) const {
  const auto now = boots_.find(node);
  const auto before = before_.find(node);
  return (now == boots_.end() ? 0 : now->second) - (before == before_.end() ? 0 : before->second);
}

/// The first of those with the fewest boots, if any lacks one.
std::vector<Node>::const_iterator Replay::laggard() const {
  auto fewest = turn_.end();
  for (auto at = turn_.begin(); at != turn_.end(); ++at) {
    if (failures_.contains(*at) || made(*at) >= settings_.verify_boots) continue;
    if (fewest == turn_.end() || made(*at) < made(*fewest)) fewest = at;
  }
  return fewest;
}

bool Replay::over(std::size_t boots) const {
  return accepted_ || nothing_ ||
         (apart_ && boots >= static_cast<std::size_t>(settings_.most_boots));
}

Course Replay::finish(std::size_t boots) const {
  Course course = course_;
  if (!apart_) return course;
  course.phase = Course::Phase::searching;
  if (over(boots)) {
    course.phase = accepted_  ? Course::Phase::answered
                   : nothing_ ? Course::Phase::nothing
                              : Course::Phase::spent;
    course.ended_at = boots;
  } else if (verifying_) {
    const auto next = laggard();
    if (next != turn_.end()) {
      course.phase = Course::Phase::verifying;
      course.next_witness = *next;
      course.witness_round = made(*next) + 1;
    }
    for (Node node : turn_)
      if (!failures_.contains(node))
        course.boots_to_verify += std::max(0, settings_.verify_boots - made(node));
  }
  return course;
}

}  // namespace

Course follow(const Graph& graph, const PosteriorSettings& settings, std::span<const Step> steps,
              const std::map<Node, std::string>& failures, std::size_t from) {
  Replay replay(graph, settings, failures);
  std::size_t boots = 0;
  for (const Step& step : steps) {
    replay.count(step);
    if (++boots <= from) continue;
    replay.judge(step);
    if (replay.over(boots)) break;
  }
  return replay.finish(boots);
}

}  // namespace bisect_run::bisect
