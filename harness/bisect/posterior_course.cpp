#include "bisect/posterior_course.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "stats/summary.h"

namespace bisect_run::bisect {
namespace {

using Failures = std::map<Node, std::string>;

constexpr int kMostRounds = 3;          // of verification, while a kernel gives two levels
constexpr double kPart = 0.25;          // of the change, below which no boot is astray
constexpr double kAstray = 3;           // sigma from the median of the commit's boots
constexpr std::size_t kRareAstray = 5;  // one boot in so many may be

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
  void verify(Favourite favourite);
  bool in_bands(const Step& step) const;
  std::vector<Node> witnesses(const Favourite& favourite) const;
  int made(Node node) const;
  std::vector<Node>::const_iterator laggard() const;

  const Graph& graph_;
  const PosteriorSettings& settings_;
  const Failures& failures_;
  std::map<Node, int> boots_;
  std::map<Node, std::vector<double>> levels_;  ///< y of each boot of the search
  Course course_;
  std::size_t seen_ = 0, verifying_from_ = 0;  // steps
  bool apart_ = false;
  bool accepted_ = false, nothing_ = false, banded_ = false;
  int rounds_ = 0;  ///< of verification since the favourite changed
  std::optional<Favourite> verified_, verifying_;
  std::vector<Node> turn_;
  std::map<Node, int> before_;  ///< boots when the verification began
};

void Replay::count(const Step& step) {
  bool end = false;
  ++seen_;
  for (Node node : step.boot.nodes) {
    ++boots_[node];
    if (step.apart) levels_[node].push_back(step.boot.y);
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
  const bool verified = verified_ == favourite;
  if (!verified) rounds_ = 0;
  if (!verified || in_bands(step)) {
    banded_ = verified && rounds_ >= kMostRounds;
    if (!banded_) verify(std::move(favourite));
    if (banded_ || verifying_) return;
  }
  accepted_ = step.favourite_mass >= settings_.accept;
}

void Replay::verify(Favourite favourite) {
  ++rounds_;
  turn_ = witnesses(favourite);
  before_ = boots_;
  verifying_ = std::move(favourite);
  verifying_from_ = seen_;
  if (laggard() == turn_.end()) note_verified();
}

/// Whether one kernel gives two levels (case C4): that boots lie so far from the others of their
/// commit that they could be of the other side is bad luck once, which the weights of outliers are
/// for. The first one costs another round; it takes more to give the favourite up.
bool Replay::in_bands(const Step& step) const {
  const double far = std::max(kAstray * std::sqrt(step.sigma2), std::abs(step.change) * kPart);
  std::size_t all = 0, astray = 0;
  for (Node node : turn_) {
    const auto levels = levels_.find(node);
    if (levels == levels_.end()) continue;
    const double middle = stats::median(levels->second).value_or(0);
    all += levels->second.size();
    for (double level : levels->second) astray += std::abs(level - middle) > far ? 1 : 0;
  }
  return rounds_ < 2 ? astray > 0 : astray > 1 && astray * kRareAstray > all;
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
  return accepted_ || nothing_ || banded_ ||
         (apart_ && boots >= static_cast<std::size_t>(settings_.most_boots));
}

Course Replay::finish(std::size_t boots) const {
  Course course = course_;
  if (!apart_) return course;
  course.phase = Course::Phase::searching;
  if (over(boots)) {
    course.phase = accepted_  ? Course::Phase::answered
                   : nothing_ ? Course::Phase::nothing
                   : banded_  ? Course::Phase::banded
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
