#include "engine/retelling.h"

#include <algorithm>

#include "engine/boot_value.h"

namespace bisect_run::engine {
namespace {

class Teller {
 public:
  Teller(const Retelling& told, bisect::Strategy& strategy)
      : told_(told), strategy_(strategy), index_(told.range, told.variant, told.layouts) {}

  std::vector<ToldStep> tell() {
    const auto& builds = told_.history.builds;
    std::size_t build = 0;
    look();
    for (const auto& boot : told_.history.boots) {
      for (; build < builds.size() && builds[build].boots_before <= past_.boots.size(); ++build)
        add(builds[build]);
      add(boot);
    }
    for (; build < builds.size(); ++build) add(builds[build]);
    return std::move(steps_);
  }

 private:
  bisect::Evidence evidence() const {
    auto evidence = gather(past_, index_, told_.machine, told_.question);
    for (const auto& oid : told_.untestable)
      if (const auto node =
              index_.find({.text = {}, .commit = oid, .patches = {}, .variant = told_.variant}))
        evidence.skipped.push_back({*node, "skipped in the imported bisect log"});
    return evidence;
  }

  /// What would be done now, and what is believed.
  void look() {
    const auto now = evidence();
    if (told_.unlikely) strategy_.set_back(told_.unlikely(past_));
    action_ = strategy_.next(now);
    if (told_.prebuild > 1 && ahead_.empty()) ahead_ = strategy_.prebuild(now, told_.prebuild);
    belief_.reset();
    if (const auto standing = strategy_.standing(now)) {
      belief_ = ToldBelief{.open = standing->open, .favourite_mass = standing->favourite_mass};
      if (standing->favourite) belief_->favourite = told_.range.nodes[*standing->favourite].oid;
    }
  }

  ToldStep begin(bisect::Node node) const {
    ToldStep step;
    step.oid = told_.range.nodes[node].oid;
    step.subject = told_.range.nodes[node].subject;
    step.before = belief_;
    const auto* action = std::get_if<bisect::BootNode>(&action_);
    if (action && action->node == node) step.why = action->why;
    return step;
  }

  /// Whether the node was built beside others. They were chosen at once, so what is left of them
  /// stays chosen, whatever the builds before said.
  bool built_ahead(bisect::Node node) { return std::erase(ahead_, node) > 0; }

  void add(const BuildRecord& record) {
    const auto node = index_.find_any(record.spec);
    past_.builds.push_back(record);
    if (!node) return;
    auto step = begin(*node);
    if (built_ahead(*node) && step.why.empty()) step.why = "built ahead, as a likely next one";
    step.kind = record.error ? ToldStep::Kind::build_failed : ToldStep::Kind::built;
    if (record.error) step.failure = record.error->message;
    look();
    step.after = belief_;
    steps_.push_back(std::move(step));
  }

  void add(const BootRecord& record) {
    const auto node = index_.find_any(record.spec);
    past_.boots.push_back(record);
    ahead_.clear();
    if (!node) return;
    auto step = begin(*node);
    // A kernel that is booted as soon as it is there is one step, with the belief before both.
    if (!steps_.empty() && steps_.back().kind == ToldStep::Kind::built &&
        steps_.back().oid == step.oid) {
      step.built_for_it = true;
      step.before = steps_.back().before;
      if (!steps_.back().why.empty()) step.why = steps_.back().why;
      steps_.pop_back();
    }
    step.value = boot_value(record.samples, told_.question.metric, told_.question.mark);
    step.going_on = record.boot.outcome == BootOutcome::running;
    if (!step.going_on && record.boot.outcome != BootOutcome::complete)
      step.failure = std::string(to_string(record.boot.outcome)) +
                     (record.boot.reason.empty() ? "" : ": " + record.boot.reason);
    look();
    step.after = belief_;
    steps_.push_back(std::move(step));
  }

  const Retelling& told_;
  bisect::Strategy& strategy_;
  NodeIndex index_;
  History past_;
  bisect::Action action_;
  std::vector<bisect::Node> ahead_;  ///< still to be built beside another
  std::optional<ToldBelief> belief_;
  std::vector<ToldStep> steps_;
};

}  // namespace

std::vector<ToldStep> retell(const Retelling& told, bisect::Strategy& strategy) {
  return Teller(told, strategy).tell();
}

}  // namespace bisect_run::engine
