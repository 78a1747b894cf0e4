#include "bisect/posterior_belief.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bisect_run::bisect {
namespace {

constexpr double kTwoChanges = 0.1;  // prior
constexpr double kPairMass = 1e-3;   // on histories with merges: least mass of one class of a pair
constexpr double kContradiction = -13.8155;  // ln 1e-6, for one kernel with two levels

/// One hypothesis in one cell.
struct Term {
  std::size_t owner = 0;  ///< class
  std::size_t cell = 0;
  double log_mass = 0;
  double delta = 0, delta_var = 0, sigma2 = 0;
};

constexpr std::size_t kNothing = std::numeric_limits<std::size_t>::max();  // as an owner

/// The builds that would be bad, by class, and what contradicts itself.
struct Steps {
  std::vector<std::vector<std::size_t>> builds;
  std::vector<double> log_prior;
  std::vector<std::size_t> known;  ///< classes of the changes that are known
  std::vector<std::size_t> open;   ///< all others
};

std::size_t class_of(const Classes& classes, Node node) {
  std::size_t k = 0;
  while (k + 1 < classes.size() && !classes[k].members.contains(node)) ++k;
  return k;
}

Steps steps_of(const BeliefInput& input) {
  Steps steps;
  for (std::size_t k = 0; k < input.classes.size(); ++k) {
    std::vector<std::size_t> builds;
    double log_prior = std::log(input.classes[k].weight / input.classes.total_weight());
    for (std::size_t build = 0; build < input.build_nodes.size(); ++build) {
      std::size_t bad = 0;
      for (Node node : input.build_nodes[build]) bad += input.classes.bad(k, node) ? 1 : 0;
      if (2 * bad >= std::max<std::size_t>(1, input.build_nodes[build].size()))
        builds.push_back(build);
      if (bad != 0 && bad != input.build_nodes[build].size()) log_prior += kContradiction;
    }
    steps.builds.push_back(std::move(builds));
    steps.log_prior.push_back(log_prior);
  }
  for (Node node : input.known) steps.known.push_back(class_of(input.classes, node));
  for (std::size_t k = 0; k < input.classes.size(); ++k)
    if (std::find(steps.known.begin(), steps.known.end(), k) == steps.known.end())
      steps.open.push_back(k);
  return steps;
}

/// Every cell without the known changes.
std::vector<stats::WhitenedDots> unexplained(const BeliefInput& input, const Steps& steps) {
  std::vector<stats::WhitenedDots> cells(input.cells.begin(), input.cells.end());
  for (std::size_t k : steps.known)
    for (stats::WhitenedDots& cell : cells)
      cell = cell.without_step(steps.builds[k], input.prior.kappa);
  return cells;
}

/// The products of all classes' steps in one cell.
class CellDots {
 public:
  CellDots(const stats::WhitenedDots& cell, const Steps& steps) : steps_(steps) {
    for (const std::vector<std::size_t>& builds : steps.builds) {
      std::vector<double> with_build(cell.builds(), 0.0);
      for (std::size_t member : builds)
        for (std::size_t b = 0; b < cell.builds(); ++b)
          with_build[b] += cell.build_build(member, b);
      stats::StepDots dots;
      for (std::size_t member : builds) {
        dots.s1 += cell.build_1(member);
        dots.sy += cell.build_y(member);
        dots.ss += with_build[member];
      }
      dots_.push_back(dots);
      with_build_.push_back(std::move(with_build));
    }
  }
  const stats::StepDots& of(std::size_t k) const { return dots_[k]; }
  double cross(std::size_t j, std::size_t k) const {
    double sum = 0;
    for (std::size_t member : steps_.builds[j]) sum += with_build_[k][member];
    return sum;
  }

 private:
  const Steps& steps_;
  std::vector<stats::StepDots> dots_;
  std::vector<std::vector<double>> with_build_;
};

/// exp of the log masses, scaled to sum 1.
std::vector<double> normalised(const std::vector<Term>& terms) {
  double top = -std::numeric_limits<double>::infinity();
  for (const Term& term : terms) top = std::max(top, term.log_mass);
  std::vector<double> weights;
  double total = 0;
  for (const Term& term : terms) {
    weights.push_back(std::exp(term.log_mass - top));
    total += weights.back();
  }
  for (double& weight : weights) weight /= total;
  return weights;
}

/// The cells, and all that is asked of them.
struct Weighing {
  const BeliefInput& input;
  const Steps& steps;
  std::vector<stats::WhitenedDots> cells;
  std::vector<CellDots> dots;
  double log_some = 0;  ///< prior of a change at all
};

void add_single_changes(const Weighing& of, std::vector<Term>& terms) {
  for (std::size_t h = 0; h < of.cells.size(); ++h)
    for (std::size_t k : of.steps.open) {
      const stats::StepFit fit = stats::fit_step(of.cells[h], of.dots[h].of(k), of.input.prior);
      const double log_mass = of.log_some + std::log(1 - kTwoChanges) + of.steps.log_prior[k] +
                              of.cells[h].cell().log_weight + fit.log_ml;
      terms.push_back({k, h, log_mass, fit.delta, fit.delta_var, fit.sigma2});
    }
}

void add_nothing(const Weighing& of, std::vector<Term>& terms) {
  for (std::size_t h = 0; h < of.cells.size(); ++h) {
    const stats::LevelFit fit = stats::fit_level(of.cells[h], of.input.prior);
    const double log_mass = std::log(1 - kTwoChanges) + of.cells[h].cell().log_weight + fit.log_ml;
    terms.push_back({kNothing, h, log_mass, 0, 0, fit.sigma2});
  }
}

/// Which classes may hold one of two changes. In histories with merges there are too many pairs, so
/// one of the two must be suspected already: a smaller second change has no mass of its own while
/// one change explains most.
std::vector<bool> leading(const BeliefInput& input, const std::vector<Term>& singles) {
  const std::vector<double> weights = normalised(singles);
  std::vector<double> mass(input.classes.size(), 0.0);
  for (std::size_t i = 0; i < singles.size(); ++i) mass[singles[i].owner] += weights[i];
  std::vector<bool> leads;
  for (double of_class : mass) leads.push_back(!input.classes.has_merges() || of_class > kPairMass);
  return leads;
}

void add_pairs(const Weighing& of, const std::vector<bool>& leads, std::vector<Term>& terms) {
  const double log_prior = of.log_some + std::log(kTwoChanges * 2);
  const std::vector<std::size_t>& open = of.steps.open;
  for (std::size_t h = 0; h < of.cells.size(); ++h)
    for (std::size_t a = 0; a < open.size(); ++a)
      for (std::size_t b = a + 1; b < open.size(); ++b) {
        const std::size_t j = open[a], k = open[b];
        if (!leads[j] && !leads[k]) continue;
        const CellDots& dots = of.dots[h];
        const stats::TwoStepFit fit = stats::fit_two_steps(of.cells[h], dots.of(j), dots.of(k),
                                                           dots.cross(j, k), of.input.prior);
        if (!fit.same_sign) continue;
        const double log_mass = log_prior + of.steps.log_prior[j] + of.steps.log_prior[k] +
                                of.cells[h].cell().log_weight + fit.log_ml;
        const bool first = std::abs(fit.delta_first) >= std::abs(fit.delta_second);
        terms.push_back({first ? j : k, h, log_mass, first ? fit.delta_first : fit.delta_second,
                         first ? fit.var_first : fit.var_second, fit.sigma2});
      }
}

/// `terms`: single changes, as many as `singles`, then pairs, and what stands for no change.
Belief summarise(const BeliefInput& input, const std::vector<Term>& terms, std::size_t singles) {
  const std::vector<double> weights = normalised(terms);
  Belief belief;
  belief.mass.assign(input.classes.size(), 0);
  belief.delta.assign(input.classes.size(), 0);
  belief.delta_var.assign(input.classes.size(), 0);
  std::vector<double> cell_mass(input.cells.size(), 0);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Term& term = terms[i];
    const stats::NoiseCell& cell = input.cells[term.cell].cell();
    cell_mass[term.cell] += weights[i];
    if (term.owner == kNothing) {
      belief.nothing += weights[i];
    } else {
      belief.mass[term.owner] += weights[i];
      belief.delta[term.owner] += weights[i] * term.delta;
      if (i >= singles) belief.two_changes += weights[i];
    }
    belief.sigma2 += weights[i] * term.sigma2;
    belief.sigma_u2 += weights[i] * term.sigma2 * cell.rho_u;
    belief.drift += weights[i] * term.sigma2 * cell.rho_q;
    belief.change += weights[i] * term.delta;
  }
  if (belief.nothing < 1) belief.change /= 1 - belief.nothing;
  belief.best_cell = static_cast<std::size_t>(std::max_element(cell_mass.begin(), cell_mass.end()) -
                                              cell_mass.begin());
  for (std::size_t k = 0; k < belief.mass.size(); ++k)
    if (belief.mass[k] > 0) belief.delta[k] /= belief.mass[k];
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Term& term = terms[i];
    if (term.owner == kNothing || !(belief.mass[term.owner] > 0)) continue;
    const double off = term.delta - belief.delta[term.owner];
    belief.delta_var[term.owner] +=
        weights[i] / belief.mass[term.owner] * (term.delta_var + off * off);
  }
  return belief;
}

}  // namespace

std::size_t Belief::heaviest() const {
  return static_cast<std::size_t>(std::max_element(mass.begin(), mass.end()) - mass.begin());
}

Belief believe(const BeliefInput& input) {
  const Steps steps = steps_of(input);
  Weighing weighing{input, steps, unexplained(input, steps), {}};
  for (const stats::WhitenedDots& cell : weighing.cells) weighing.dots.emplace_back(cell, steps);
  if (!input.known.empty()) weighing.log_some = std::log(kTwoChanges);
  std::vector<Term> terms;
  add_single_changes(weighing, terms);
  const std::size_t singles = terms.size();
  add_pairs(weighing, leading(input, terms), terms);
  if (!input.known.empty()) add_nothing(weighing, terms);
  return summarise(input, terms, singles);
}

std::vector<ChangeSize> sizes_of(const BeliefInput& input, std::size_t cell,
                                 const std::vector<Node>& changes) {
  const Steps steps = steps_of(input);
  std::vector<ChangeSize> sizes;
  for (std::size_t wanted = 0; wanted < changes.size(); ++wanted) {
    stats::WhitenedDots rest = input.cells[cell];
    for (std::size_t other = 0; other < changes.size(); ++other)
      if (other != wanted)
        rest = rest.without_step(steps.builds[class_of(input.classes, changes[other])],
                                 input.prior.kappa);
    const CellDots dots(rest, steps);
    const stats::StepFit fit =
        stats::fit_step(rest, dots.of(class_of(input.classes, changes[wanted])), input.prior);
    sizes.push_back({fit.delta, fit.delta_var});
  }
  return sizes;
}

}  // namespace bisect_run::bisect
