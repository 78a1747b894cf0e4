#include "bisect/three_way.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "bisect/open_set.h"
#include "bisect/readings.h"
#include "bisect/three_way_levels.h"
#include "stats/distributions.h"

namespace bisect_run::bisect {
namespace {

constexpr double kSurest = 0.999;  // no rule this simple is surer of itself

/// Everything derived from one state of the evidence.
struct View {
  Readings readings;
  EndsTest ends;
  Levels levels;
  bool calibrated = false;
};

/// Where the search stands when no probed commit needs another boot.
struct Search {
  OpenSet open;
  NodeSet closed;               ///< members that have had their chance
  std::vector<Node> broken;     ///< members that were skipped or stayed undecided
  std::optional<Node> pending;  ///< needs more boots first
};

class ThreeWay final : public Strategy {
 public:
  ThreeWay(Graph graph, ThreeWaySettings settings)
      : graph_(std::move(graph)),
        settings_(settings),
        ancestors_(graph_),
        candidates_(static_cast<double>(graph_.size() - graph_.boundary())) {
    const double steps = std::max(1.0, std::ceil(std::log2(std::max(1.0, candidates_))));
    const double share = settings_.error / steps;
    limit_ = std::log((1 - share) / share);
  }

  Action next(const Evidence& evidence) override;
  Assessment assess(const Evidence& evidence, Node node) override;
  Outlook outlook(const Evidence& evidence) override;

 private:
  View view(const Evidence& evidence) const;
  Likeness likeness(const View& view, Node node) const;
  bool spent(const View& view, Node node) const;
  int confirmations(const View& view, Node node) const;

  std::optional<Action> calibrate(const View& view) const;
  std::optional<Action> control(const View& view) const;
  Search replay(const View& view);
  std::optional<Action> probe(const View& view, Search& search);
  std::optional<Action> try_parents(const View& view, Search& search, bool& again) const;
  std::vector<Node> tested_parents(const View& view, const NodeSet& members) const;
  std::optional<Action> confirm(const View& view, const Search& search,
                                const std::vector<Node>& parents) const;
  Conclusion conclude(const View& view, const Search& search, std::string reason) const;
  void add_effect(const View& view, Node top, const std::vector<Node>& parents,
                  Conclusion& conclusion) const;

  Graph graph_;
  ThreeWaySettings settings_;
  AncestorCache ancestors_;
  double candidates_;
  double limit_;
};

View ThreeWay::view(const Evidence& evidence) const {
  View view{Readings(evidence), {}, {}};
  const Boots& good = view.readings.of(graph_.good());
  const Boots& bad = view.readings.of(graph_.bad());
  view.ends = test_ends(good, bad, settings_);
  view.calibrated = view.ends.state == EndsTest::State::apart;
  if (view.calibrated) view.levels = estimate_levels(good, bad, view.ends.pairs, settings_);
  return view;
}

/// The ends are what they were called; every other commit is tested.
Likeness ThreeWay::likeness(const View& view, Node node) const {
  Likeness likeness = liken(view.readings.of(node), view.levels, limit_);
  const bool end = node == graph_.good() || node == graph_.bad();
  if (end) {
    likeness.outcome = node == graph_.bad() ? Outcome::bad : Outcome::good;
    likeness.decided = view.ends.pairs;
  }
  return likeness;
}

/// No verdict, and no boots left to get one.
bool ThreeWay::spent(const View& view, Node node) const {
  if (view.readings.skip_reason(node)) return true;
  return view.readings.of(node).size() >= static_cast<std::size_t>(settings_.most_boots) &&
         likeness(view, node).outcome == Outcome::undecided;
}

int ThreeWay::confirmations(const View& view, Node node) const {
  const Likeness now = likeness(view, node);
  if (now.decided == 0) return 0;
  return static_cast<int>(view.readings.of(node).size() - now.decided);
}

Conclusion refusal(std::string reason) {
  Conclusion conclusion;
  conclusion.kind = Conclusion::Kind::refused;
  conclusion.reason = std::move(reason);
  return conclusion;
}

std::optional<Action> ThreeWay::calibrate(const View& view) const {
  for (Node end : {graph_.good(), graph_.bad()})
    if (const std::string* reason = view.readings.skip_reason(end))
      return refusal(
          fmt::format("{} cannot be tested: {}", end == graph_.bad() ? "BAD" : "GOOD", *reason));
  if (view.readings.same_image(graph_.good(), graph_.bad()))
    return refusal("GOOD and BAD build the same kernel");
  if (view.ends.state == EndsTest::State::refused) {
    Conclusion conclusion = refusal(view.ends.reason);
    const double half = 1.96 * view.ends.error;
    conclusion.delta = view.ends.delta;
    conclusion.delta_low = view.ends.delta - half;
    conclusion.delta_high = view.ends.delta + half;
    return conclusion;
  }
  if (view.calibrated) return std::nullopt;
  // G B, B G, G B, …: a steady drift cancels within two pairs.
  const std::size_t good = view.readings.of(graph_.good()).size();
  const std::size_t bad = view.readings.of(graph_.bad()).size();
  const std::size_t pair = std::min(good, bad);
  bool take_good = good < bad;
  if (good == bad) take_good = pair % 2 == 0;
  return BootNode{take_good ? graph_.good() : graph_.bad(),
                  fmt::format("calibration, pair {}", pair + 1)};
}

std::optional<Action> ThreeWay::control(const View& view) const {
  const double good = view.readings.of(graph_.good()).back().time_s;
  const double bad = view.readings.of(graph_.bad()).back().time_s;
  const Node older = good <= bad ? graph_.good() : graph_.bad();
  // Counted, so that boots longer than the interval cannot keep the search at the ends for ever.
  const std::size_t latest = view.readings.latest_of(graph_.good(), graph_.bad());
  const bool due = view.readings.last_time() - std::min(good, bad) > settings_.control_s;
  if (due && latest < 2) return BootNode{older, "control: has the level of the ends moved?"};
  if (view.levels.unsettled && latest < 6)
    return BootNode{older, "control: the level of the ends has moved, by how much?"};
  return std::nullopt;
}

Search ThreeWay::replay(const View& view) {
  Search search{OpenSet(graph_, ancestors_), NodeSet(graph_.size()), {}, std::nullopt};
  search.closed.insert(graph_.bad());
  for (Node node : view.readings.booted()) {
    if (node == graph_.good() || node == graph_.bad() || !graph_.is_candidate(node)) continue;
    if (view.readings.skip_reason(node)) continue;
    const bool inside = search.open.members().contains(node);
    switch (likeness(view, node).outcome) {
      case Outcome::bad:
        search.open.bad(node);
        break;
      case Outcome::good:
        search.open.good(node);
        break;
      default:
        if (inside && !spent(view, node) && !search.pending) search.pending = node;
    }
  }
  return search;
}

void note_closed(Search& search, const std::vector<Node>& spent_nodes) {
  search.broken.clear();
  search.closed.insert(search.open.top());
  for (Node node : spent_nodes)
    if (search.open.members().contains(node)) {
      search.closed.insert(node);
      search.broken.push_back(node);
    }
}

/// The next boot of the search proper, or nothing when it is over and `search` holds its end.
std::optional<Action> ThreeWay::probe(const View& view, Search& search) {
  if (search.pending && search.open.members().contains(*search.pending))
    return BootNode{*search.pending, fmt::format("undecided after {} boots",
                                                 view.readings.of(*search.pending).size())};
  std::vector<Node> spent_nodes;
  for (const auto& [node, reason] : view.readings.skipped()) spent_nodes.push_back(node);
  for (Node node : view.readings.booted())
    if (!view.readings.skip_reason(node) && graph_.is_candidate(node) && spent(view, node))
      spent_nodes.push_back(node);
  for (;;) {
    note_closed(search, spent_nodes);
    if (search.broken.size() >= static_cast<std::size_t>(settings_.most_skips)) return std::nullopt;
    const auto chosen = next_probe(graph_, search.open.members(), search.closed, search.broken);
    if (chosen)
      return BootNode{
          *chosen, fmt::format("{} of {} candidates left{}", search.open.members().count(),
                               candidates_, search.broken.empty() ? "" : ", away from failures")};
    bool again = false;
    const auto action = try_parents(view, search, again);
    if (!again) return action;
  }
}

/// Measures every parent of a lone candidate. A parent that turns out bad reopens the search below
/// it (`again`).
std::optional<Action> ThreeWay::try_parents(const View& view, Search& search, bool& again) const {
  if (search.open.members().count() != 1) return std::nullopt;
  for (Node parent : graph_.parents(search.open.top())) {
    if (parent == graph_.good() || spent(view, parent)) continue;
    switch (likeness(view, parent).outcome) {
      case Outcome::good:
        break;
      case Outcome::bad:
        search.open.reopen(parent);
        again = graph_.is_candidate(parent);
        return std::nullopt;
      default:
        return BootNode{parent, "parent of the last candidate"};
    }
  }
  return std::nullopt;
}

std::vector<Node> ThreeWay::tested_parents(const View& view, const NodeSet& members) const {
  std::vector<Node> tested;
  members.for_each([&](Node member) {
    for (Node parent : graph_.parents(member)) {
      const bool known = std::find(tested.begin(), tested.end(), parent) != tested.end();
      if (!known && !members.contains(parent) && likeness(view, parent).outcome == Outcome::good)
        tested.push_back(parent);
    }
  });
  return tested;
}

std::optional<Action> ThreeWay::confirm(const View& view, const Search& search,
                                        const std::vector<Node>& parents) const {
  std::vector<Node> turn = parents;
  turn.push_back(search.open.top());
  const auto fewest = std::min_element(turn.begin(), turn.end(), [&](Node a, Node b) {
    return confirmations(view, a) < confirmations(view, b);
  });
  const int made = confirmations(view, *fewest);
  if (made >= settings_.confirm_boots) return std::nullopt;
  return BootNode{*fewest,
                  fmt::format("confirmation {} of {} of {}", made + 1, settings_.confirm_boots,
                              *fewest == search.open.top() ? "the answer" : "a parent")};
}

/// Difference between the answer and its parents (or GOOD), variance pooled over all kernels in it.
void ThreeWay::add_effect(const View& view, Node top, const std::vector<Node>& parents,
                          Conclusion& conclusion) const {
  double squares = view.levels.variance * view.levels.freedom, freedom = view.levels.freedom;
  const auto mean_of = [&](const std::vector<Node>& nodes, double& boots) {
    double sum = 0;
    for (Node node : nodes)
      for (const Reading& boot : view.readings.of(node)) sum += view.levels.settled(boot), ++boots;
    const double mean = sum / boots;
    for (Node node : nodes)
      for (const Reading& boot : view.readings.of(node))
        squares += std::pow(view.levels.settled(boot) - mean, 2);
    freedom += boots - 1;
    return mean;
  };
  double boots_top = 0, boots_below = 0;
  const double above = mean_of({top}, boots_top);
  const double below =
      mean_of(parents.empty() ? std::vector<Node>{graph_.good()} : parents, boots_below);
  const double error = std::sqrt(squares / freedom * (1 / boots_top + 1 / boots_below));
  const double half = stats::student_quantile(0.975, freedom).value_or(2) * error;
  conclusion.delta = above - below;
  conclusion.delta_low = *conclusion.delta - half;
  conclusion.delta_high = *conclusion.delta + half;
}

Conclusion ThreeWay::conclude(const View& view, const Search& search, std::string reason) const {
  Conclusion conclusion;
  conclusion.nodes = search.open.members().nodes();
  conclusion.reason = std::move(reason);
  conclusion.kind = conclusion.nodes.size() == 1 && conclusion.reason.empty()
                        ? Conclusion::Kind::commit
                        : Conclusion::Kind::set;
  const Node top = search.open.top();
  const std::vector<Node> parents = tested_parents(view, search.open.members());
  double sure = 1;
  for (Node node : parents)
    if (node != graph_.good()) sure /= 1 + std::exp(-std::abs(likeness(view, node).ratio));
  if (top != graph_.bad()) sure /= 1 + std::exp(-std::abs(likeness(view, top).ratio));
  conclusion.confidence = std::min(sure, kSurest);
  add_effect(view, top, parents, conclusion);
  const double share = *conclusion.delta / view.levels.delta();
  if (conclusion.kind == Conclusion::Kind::commit && share < 0.75)
    conclusion.reason =
        fmt::format("explains {:.0f} % of the difference between the ends", 100 * share);
  return conclusion;
}

Action ThreeWay::next(const Evidence& evidence) {
  const View now = view(evidence);
  if (auto action = calibrate(now)) return *action;
  if (auto action = control(now)) return *action;
  Search search = replay(now);
  if (auto action = probe(now, search)) return *action;
  const NodeSet& members = search.open.members();
  const Node top = search.open.top();
  if (!graph_.is_candidate(top)) {
    Conclusion conclusion;
    conclusion.reason =
        "an ancestor of GOOD already has the new level: it changed back before GOOD, and "
        "came in again with a branch made before that; search between that ancestor and "
        "GOOD with --find-fix";
    conclusion.nodes = {top};
    return conclusion;
  }
  const std::vector<Node> parents = tested_parents(now, members);
  if (auto action = confirm(now, search, parents)) return *action;
  if (members.count() == 1) {
    const auto blind = std::find_if(graph_.parents(top).begin(), graph_.parents(top).end(),
                                    [&](Node parent) { return spent(now, parent); });
    if (blind == graph_.parents(top).end()) return conclude(now, search, "");
    Conclusion set = conclude(now, search, "a parent of the commit cannot be judged");
    if (graph_.is_candidate(*blind)) set.nodes.insert(set.nodes.begin(), *blind);
    return set;
  }
  if (search.broken.size() >= static_cast<std::size_t>(settings_.most_skips))
    return conclude(now, search,
                    fmt::format("{} of the remaining commits cannot be judged; no more are tried",
                                search.broken.size()));
  return conclude(now, search,
                  fmt::format("{} of these commits cannot be judged", search.broken.size()));
}

Assessment ThreeWay::assess(const Evidence& evidence, Node node) {
  const View now = view(evidence);
  if (const std::string* reason = now.readings.skip_reason(node)) return {Outcome::skip, *reason};
  const std::size_t boots = now.readings.of(node).size();
  if (!now.calibrated) return {Outcome::undecided, "the ends are not told apart yet"};
  if (node == graph_.good()) return {Outcome::good, "the good end"};
  if (node == graph_.bad()) return {Outcome::bad, "the bad end"};
  if (boots == 0) return {Outcome::undecided, "not booted"};
  const Likeness like = likeness(now, node);
  const std::string evidence_text = fmt::format("{} boot{}, log odds {:+.1f} (limit {:.1f})", boots,
                                                boots == 1 ? "" : "s", like.ratio, limit_);
  switch (like.outcome) {
    case Outcome::good:
      return {Outcome::good, "like GOOD: " + evidence_text};
    case Outcome::bad:
      return {Outcome::bad, "like BAD: " + evidence_text};
    default:
      return {Outcome::undecided, "neither like GOOD nor like BAD: " + evidence_text};
  }
}

Strategy::Outlook ThreeWay::outlook(const Evidence& evidence) {
  const View now = view(evidence);
  Outlook outlook;
  double left = candidates_;
  double boots_a_step = 3;
  double confirm = 2.0 * settings_.confirm_boots;
  if (now.calibrated) {
    const Search search = replay(now);
    left = static_cast<double>(search.open.members().count());
    const double separation = now.levels.delta() * now.levels.delta() / now.levels.variance;
    boots_a_step =
        std::clamp(limit_ * 2 * 1.2 / separation, 2.0, static_cast<double>(settings_.most_boots));
    if (left <= 1 && !search.pending) {
      const std::vector<Node> parents = tested_parents(now, search.open.members());
      confirm = std::max(0, settings_.confirm_boots - confirmations(now, search.open.top()));
      for (Node parent : parents)
        confirm += std::max(0, settings_.confirm_boots - confirmations(now, parent));
    }
  } else {
    const double made = static_cast<double>(now.readings.of(graph_.good()).size() +
                                            now.readings.of(graph_.bad()).size());
    const double wanted = made < 6 ? 2.0 * settings_.first_pairs : made + 6;
    outlook.boots += wanted - made;
    if (now.readings.of(graph_.good()).empty()) ++outlook.builds;
    if (now.readings.of(graph_.bad()).empty()) ++outlook.builds;
  }
  const double steps = std::ceil(std::log2(std::max(1.0, left)));
  outlook.builds += steps;
  outlook.boots += steps * boots_a_step + confirm;
  return outlook;
}

}  // namespace

std::unique_ptr<Strategy> make_three_way(Graph graph, ThreeWaySettings settings) {
  return std::make_unique<ThreeWay>(std::move(graph), settings);
}

std::unique_ptr<Strategy> make_three_way(const Range& range, ThreeWaySettings settings) {
  return make_three_way(Graph(range), settings);
}

}  // namespace bisect_run::bisect
