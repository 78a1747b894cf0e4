#include "bisect/one_step.h"

#include <algorithm>

#include "bisect/posterior.h"

namespace bisect_run::bisect {
namespace {

/// So much earlier the known boots are held to be that the level may have gone anywhere since, even
/// on a machine that hardly drifts (0.05 sigma in 8 hours: 5 sigma by then).
constexpr double kLongAgo = 3e8;

/// Passes on what another strategy thinks of evidence that is turned first.
class Turned : public Strategy {
 public:
  explicit Turned(std::unique_ptr<Strategy> inner) : inner_(std::move(inner)) {}
  Conclusion give_up(const Evidence& evidence, const std::string& why) override {
    return inner_->give_up(turned(evidence), why);
  }
  Assessment assess(const Evidence& evidence, Node node) override {
    return inner_->assess(turned(evidence), node);
  }
  std::optional<Standing> standing(const Evidence& evidence) override {
    return inner_->standing(turned(evidence));
  }
  Outlook outlook(const Evidence& evidence) override { return inner_->outlook(turned(evidence)); }

 protected:
  virtual Evidence turned(const Evidence& evidence) const { return evidence; }
  Strategy& inner() { return *inner_; }

 private:
  std::unique_ptr<Strategy> inner_;
};

class EndsOnly final : public Turned {
 public:
  EndsOnly(std::unique_ptr<Strategy> inner, Node bad) : Turned(std::move(inner)), bad_(bad) {}

  Action next(const Evidence& evidence) override {
    auto action = inner().next(evidence);
    if (inner().assess(evidence, bad_).outcome != Outcome::bad) return action;
    auto conclusion = inner().give_up(evidence, "");
    conclusion.kind = Conclusion::Kind::commit;
    conclusion.nodes = {bad_};
    conclusion.confidence.reset();
    conclusion.reason.clear();
    return conclusion;
  }

 private:
  Node bad_;
};

class Judging final : public Turned {
 public:
  Judging(std::unique_ptr<Strategy> inner, Node bad, std::vector<KnownBoot> known)
      : Turned(std::move(inner)), bad_(bad), known_(std::move(known)) {
    for (const auto& boot : known_) begin_s_ = std::max(begin_s_, boot.time_s + kLongAgo);
  }

  Action next(const Evidence& evidence) override {
    for (const auto& skip : evidence.skipped) {
      if (skip.node != kSubject) continue;
      Conclusion conclusion;
      conclusion.reason = "cannot be tested: " + skip.reason;
      return conclusion;
    }
    auto action = inner().next(turned(evidence));
    const auto* boot = std::get_if<BootNode>(&action);
    if (!boot || boot->node != kSubject) return action;
    // Where the levels are now is known as well as the subject is, or more boots of it are wasted.
    std::size_t ends = 0, subject = 0;
    for (const auto& made : evidence.boots) ++(made.node == kSubject ? subject : ends);
    if (ends >= subject) return action;
    return BootNode{ends % 2 == 0 ? Node{0} : bad_, "an end, beside the subject"};
  }

 protected:
  Evidence turned(const Evidence& evidence) const override;

 private:
  Node bad_;
  std::vector<KnownBoot> known_;
  double begin_s_ = 0;  ///< of the new boots, on the clock of the known ones
};

/// The known boots in front. They count as builds of their own: old boots of an end must not make
/// its new ones look like outliers, should the machine have moved.
Evidence Judging::turned(const Evidence& evidence) const {
  Evidence whole;
  whole.skipped = evidence.skipped;
  whole.built = evidence.built;
  for (const Node end : {Node{0}, bad_})
    if (std::ranges::find(whole.built, end) == whole.built.end()) whole.built.push_back(end);
  for (const auto& boot : known_)
    whole.boots.push_back({.node = boot.bad ? bad_ : 0,
                           .build = boot.bad ? 1U : 0U,
                           .y = boot.y,
                           .time_s = boot.time_s});
  for (auto boot : evidence.boots) {
    boot.build += 2;
    boot.time_s += begin_s_;
    whole.boots.push_back(boot);
  }
  return whole;
}

}  // namespace

std::unique_ptr<Strategy> make_ends_only(const Range& range, double min_effect) {
  PosteriorSettings settings;
  settings.min_effect = min_effect;
  return std::make_unique<EndsOnly>(make_posterior(range, settings), range.bad());
}

Range judging_range(Commit good, Commit subject, Commit bad) {
  Range range;
  range.nodes = {std::move(good), std::move(subject), std::move(bad)};
  range.parents = {{}, {0}, {1}};
  range.boundary = 1;
  return range;
}

std::unique_ptr<Strategy> make_judging(const Range& range, std::vector<KnownBoot> known,
                                       const JudgingSettings& settings) {
  PosteriorSettings inner;
  inner.min_effect = settings.min_effect;
  inner.accept = settings.confidence;
  // The model's certainty is the verdict: one more look at it is enough.
  inner.verify_boots = 1;
  inner.most_boots = static_cast<int>(known.size()) + settings.most_boots;
  return std::make_unique<Judging>(make_posterior(range, inner), range.bad(), std::move(known));
}

}  // namespace bisect_run::bisect
