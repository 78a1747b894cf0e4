#include "bisect/three_way.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "bisect/open_set.h"
#include "bisect/three_way_view.h"

namespace bisect_run::bisect {
namespace {

using View = ThreeWayView;

/// Where the search stands.
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
        candidates_(graph_.size() - graph_.boundary()) {
    const double steps = std::max(1.0, std::ceil(std::log2(std::max<double>(1, candidates_))));
    const double share = settings_.error / steps;
    limit_ = std::log((1 - share) / share);
  }

  Action next(const Evidence& evidence) override;
  Conclusion give_up(const Evidence& evidence, const std::string& why) override;
  std::optional<Standing> standing(const Evidence& evidence) override;
  Assessment assess(const Evidence& evidence, Node node) override;
  Outlook outlook(const Evidence& evidence) override;

 private:
  std::optional<Action> calibrate(const View& view) const;
  std::optional<Action> control(const View& view) const;
  Search replay(const View& view);
  std::optional<Action> probe(const View& view, Search& search);
  std::optional<Action> try_parents(const View& view, Search& search, bool& again) const;
  std::optional<Action> confirm(const View& view, const Search& search) const;
  Conclusion answer(const View& view, const Search& search) const;

  Graph graph_;
  ThreeWaySettings settings_;
  AncestorCache ancestors_;
  Node candidates_;
  double limit_;
};

Conclusion refusal(std::string reason) {
  Conclusion conclusion;
  conclusion.kind = Conclusion::Kind::refused;
  conclusion.reason = std::move(reason);
  return conclusion;
}

std::optional<Action> ThreeWay::calibrate(const View& view) const {
  const Readings& readings = view.readings();
  for (Node end : {graph_.good(), graph_.bad()})
    if (const std::string* reason = readings.skip_reason(end))
      return refusal(
          fmt::format("{} cannot be tested: {}", end == graph_.bad() ? "BAD" : "GOOD", *reason));
  if (readings.same_image(graph_.good(), graph_.bad()))
    return refusal("GOOD and BAD build the same kernel");
  if (view.ends().state == EndsTest::State::refused) {
    Conclusion conclusion = refusal(view.ends().reason);
    const double half = 1.96 * view.ends().error;
    conclusion.delta = view.ends().delta;
    conclusion.delta_low = view.ends().delta - half;
    conclusion.delta_high = view.ends().delta + half;
    return conclusion;
  }
  if (view.calibrated()) return std::nullopt;
  // G B, B G, G B, …: a steady drift cancels within two pairs.
  const std::size_t good = readings.of(graph_.good()).size();
  const std::size_t bad = readings.of(graph_.bad()).size();
  const std::size_t pair = std::min(good, bad);
  bool take_good = good < bad;
  if (good == bad) take_good = pair % 2 == 0;
  return BootNode{take_good ? graph_.good() : graph_.bad(),
                  fmt::format("calibration, pair {}", pair + 1)};
}

std::optional<Action> ThreeWay::control(const View& view) const {
  const Readings& readings = view.readings();
  const double good = readings.of(graph_.good()).back().time_s;
  const double bad = readings.of(graph_.bad()).back().time_s;
  const Node older = good <= bad ? graph_.good() : graph_.bad();
  // Counted, so that boots longer than the interval cannot keep the search at the ends for ever.
  const std::size_t latest = readings.latest_of(graph_.good(), graph_.bad());
  const bool due = readings.last_time() - std::min(good, bad) > settings_.control_s;
  if (due && latest < 2) return BootNode{older, "control: has the level of the ends moved?"};
  if (view.levels().unsettled && latest < 6)
    return BootNode{older, "control: the level of the ends has moved, by how much?"};
  return std::nullopt;
}

Search ThreeWay::replay(const View& view) {
  Search search{OpenSet(graph_, ancestors_), NodeSet(graph_.size()), {}, std::nullopt};
  for (Node node : view.readings().booted()) {
    if (node == graph_.good() || node == graph_.bad() || !graph_.is_candidate(node)) continue;
    if (view.readings().skip_reason(node)) continue;
    const bool inside = search.open.members().contains(node);
    switch (view.likeness(node).outcome) {
      case Outcome::bad:
        search.open.bad(node);
        break;
      case Outcome::good:
        search.open.good(node);
        break;
      default:
        if (inside && !search.pending && !view.spent(node)) search.pending = node;
    }
  }
  if (search.pending && !search.open.members().contains(*search.pending)) search.pending.reset();
  return search;
}

std::vector<Node> spent_nodes(const View& view) {
  std::vector<Node> spent;
  for (const auto& [node, reason] : view.readings().skipped()) spent.push_back(node);
  for (Node node : view.readings().booted())
    if (!view.readings().skip_reason(node) && view.spent(node)) spent.push_back(node);
  return spent;
}

/// The next boot of the search proper, or nothing when it is over and `search` holds its end.
std::optional<Action> ThreeWay::probe(const View& view, Search& search) {
  if (search.pending) {
    const std::size_t boots = view.readings().of(*search.pending).size();
    return BootNode{*search.pending, fmt::format("undecided after {} boots", boots)};
  }
  const std::vector<Node> spent = spent_nodes(view);
  for (bool again = true; again;) {
    const NodeSet& open = search.open.members();
    search.closed.insert(search.open.top());
    search.broken.clear();
    for (Node node : spent)
      if (open.contains(node)) {
        search.closed.insert(node);
        search.broken.push_back(node);
      }
    if (search.broken.size() >= static_cast<std::size_t>(settings_.most_skips)) return std::nullopt;
    if (const auto chosen = next_probe(graph_, open, search.closed, search.broken))
      return BootNode{*chosen, fmt::format("{} of {} candidates left{}", open.count(), candidates_,
                                           search.broken.empty() ? "" : ", away from failures")};
    if (auto action = try_parents(view, search, again)) return action;
  }
  return std::nullopt;
}

/// Measures every parent of a lone candidate. A parent that turns out bad reopens the search below
/// it (`again`).
std::optional<Action> ThreeWay::try_parents(const View& view, Search& search, bool& again) const {
  again = false;
  if (search.open.members().count() != 1) return std::nullopt;
  for (Node parent : graph_.parents(search.open.top())) {
    if (parent == graph_.good() || view.spent(parent)) continue;
    switch (view.likeness(parent).outcome) {
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

std::optional<Action> ThreeWay::confirm(const View& view, const Search& search) const {
  std::vector<Node> turn = view.good_parents(search.open.members());
  turn.push_back(search.open.top());
  const auto fewest = std::min_element(turn.begin(), turn.end(), [&](Node a, Node b) {
    return view.confirmations(a) < view.confirmations(b);
  });
  const int made = view.confirmations(*fewest);
  if (made >= settings_.confirm_boots) return std::nullopt;
  return BootNode{*fewest,
                  fmt::format("confirmation {} of {} of {}", made + 1, settings_.confirm_boots,
                              *fewest == search.open.top() ? "the answer" : "a parent")};
}

Conclusion ThreeWay::answer(const View& view, const Search& search) const {
  const NodeSet& members = search.open.members();
  const Node top = search.open.top();
  if (members.count() > 1)
    return view.conclude(members, top,
                         fmt::format("{} of these commits cannot be judged", search.broken.size()));
  NodeSet with_blind = members;
  bool blind = false;
  for (Node parent : graph_.parents(top)) {
    if (!view.spent(parent)) continue;
    blind = true;
    if (graph_.is_candidate(parent)) with_blind.insert(parent);
  }
  return view.conclude(with_blind, top, blind ? "a parent of the commit cannot be judged" : "");
}

Action ThreeWay::next(const Evidence& evidence) {
  const View view(graph_, settings_, limit_, evidence);
  if (auto action = calibrate(view)) return *action;
  if (auto action = control(view)) return *action;
  Search search = replay(view);
  if (auto action = probe(view, search)) return *action;
  if (!graph_.is_candidate(search.open.top())) {
    Conclusion conclusion;
    conclusion.reason =
        "an ancestor of GOOD already has the new level: it changed back before GOOD, and came in "
        "again with a branch made before that; search between that ancestor and GOOD with "
        "--find-fix";
    conclusion.nodes = {search.open.top()};
    return conclusion;
  }
  if (auto action = confirm(view, search)) return *action;
  return answer(view, search);
}

Conclusion ThreeWay::give_up(const Evidence& evidence, const std::string& why) {
  const View view(graph_, settings_, limit_, evidence);
  if (const auto action = calibrate(view)) {
    if (const auto* refused = std::get_if<Conclusion>(&*action)) return *refused;
    Conclusion conclusion;
    conclusion.reason = why + ", and the ends are not told apart yet";
    return conclusion;
  }
  const Search search = replay(view);
  return view.conclude(search.open.members(), search.open.top(), why);
}

std::optional<Standing> ThreeWay::standing(const Evidence& evidence) {
  const View view(graph_, settings_, limit_, evidence);
  if (!view.calibrated()) return std::nullopt;
  return Standing{.open = replay(view).open.members().count()};
}

Assessment ThreeWay::assess(const Evidence& evidence, Node node) {
  const View view(graph_, settings_, limit_, evidence);
  if (const std::string* reason = view.readings().skip_reason(node))
    return {Outcome::skip, *reason};
  if (!view.calibrated()) return {Outcome::undecided, "the ends are not told apart yet"};
  if (node == graph_.good()) return {Outcome::good, "the good end"};
  if (node == graph_.bad()) return {Outcome::bad, "the bad end"};
  const std::size_t boots = view.readings().of(node).size();
  if (boots == 0) return {Outcome::undecided, "not booted"};
  const Likeness like = view.likeness(node);
  const std::string support = fmt::format("{} boot{}, log odds {:+.1f} (limit {:.1f})", boots,
                                          boots == 1 ? "" : "s", like.ratio, limit_);
  switch (like.outcome) {
    case Outcome::good:
      return {Outcome::good, "like GOOD: " + support};
    case Outcome::bad:
      return {Outcome::bad, "like BAD: " + support};
    default:
      return {Outcome::undecided, "neither like GOOD nor like BAD: " + support};
  }
}

Strategy::Outlook ThreeWay::outlook(const Evidence& evidence) {
  const View view(graph_, settings_, limit_, evidence);
  Outlook outlook;
  double left = candidates_;
  double boots_a_step = 3;
  double confirmation = 2.0 * settings_.confirm_boots;
  if (view.calibrated()) {
    const Search search = replay(view);
    left = static_cast<double>(search.open.members().count());
    const double separation =
        view.levels().delta() * view.levels().delta() / view.levels().variance;
    boots_a_step = std::clamp(limit_ * 2 * 1.2 / separation, 2.0, double(settings_.most_boots));
    if (left <= 1 && !search.pending) {
      confirmation = std::max(0, settings_.confirm_boots - view.confirmations(search.open.top()));
      for (Node parent : view.good_parents(search.open.members()))
        confirmation += std::max(0, settings_.confirm_boots - view.confirmations(parent));
    }
  } else {
    const std::size_t good = view.readings().of(graph_.good()).size();
    const std::size_t bad = view.readings().of(graph_.bad()).size();
    const double made = static_cast<double>(good + bad);
    outlook.boots = (made < 6 ? 2.0 * settings_.first_pairs : made + 6) - made;
    outlook.builds = (good == 0 ? 1 : 0) + (bad == 0 ? 1 : 0);
  }
  const double steps = std::ceil(std::log2(std::max(1.0, left)));
  outlook.builds += steps;
  outlook.boots += steps * boots_a_step + confirmation;
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
