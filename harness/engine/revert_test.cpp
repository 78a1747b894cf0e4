#include "engine/revert_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/boot_value.h"
#include "model/spec_key.h"
#include "model/try.h"
#include "stats/ends.h"
#include "stats/revert.h"

namespace bisect_run::engine {
namespace {

using stats::RevertBoot;
using stats::RevertVerdict;

constexpr std::string_view kMark = "revert of ";
constexpr std::size_t kFewest = 2, kUsual = 6, kMost = 10;  // boots of each kernel
constexpr double kFloor = 0.002;                            // of the noise, as in calibration

struct Kernel {
  RevertBoot::Kernel role;
  KernelSpec spec;
};

/// The boots of the test that count, and how many did not.
struct Made {
  std::vector<RevertBoot> boots;
  std::array<std::size_t, 3> of{};
  std::size_t failed = 0;

  std::size_t rounds() const { return *std::min_element(of.begin(), of.end()); }
};

class Test {
 public:
  Test(const RevertSetup& setup, KernelSpec reverted, Prober& prober)
      : setup_(setup),
        kernels_{Kernel{RevertBoot::Kernel::reverted, std::move(reverted)},
                 Kernel{RevertBoot::Kernel::good, setup.good},
                 Kernel{RevertBoot::Kernel::bad, setup.bad}},
        prober_(prober) {}

  Result<RevertOutcome> run();

 private:
  Result<std::string> obstacle();
  Made made() const;
  const KernelSpec& next(const Made& made) const;
  Status boot(const KernelSpec& spec, std::size_t round);

  const RevertSetup& setup_;
  std::array<Kernel, 3> kernels_;
  Prober& prober_;
};

/// Why the kernel cannot be tested, or nothing: no time to build it, it does not build, or is
/// BAD's.
Result<std::string> Test::obstacle() {
  if (auto why = spent_before_build(setup_.allowance, kernels_[0].spec, prober_); !why.empty())
    return why;
  prober_.ports().observer.probing(kernels_[0].spec, "revert test");
  BR_TRY_ASSIGN(const Image* image, prober_.image(kernels_[0].spec));
  if (!image) {
    const auto reason =
        skip_reason(prober_.history(), spec_key(kernels_[0].spec), setup_.machine, nullptr);
    return "BAD without the commit does not build: " + reason.value_or("");
  }
  const auto bad = spec_key(setup_.bad);
  for (const BuildRecord& build : prober_.history().builds)
    if (build.image && spec_key(build.spec) == bad && build.image->signature == image->signature)
      return std::string("BAD without the commit is the same kernel as BAD");
  return std::string();
}

Made Test::made() const {
  Made made;
  bool begun = false;
  for (const BootRecord& record : prober_.history().boots) {
    begun = begun || is_reverted(record.spec);
    const auto kernel = std::find_if(kernels_.begin(), kernels_.end(), [&](const Kernel& k) {
      return spec_key(k.spec) == spec_key(record.spec);
    });
    if (!begun || kernel == kernels_.end()) continue;
    const auto value =
        record.boot.outcome == BootOutcome::complete
            ? boot_value(record.samples, setup_.question.metric, setup_.question.mark)
            : std::nullopt;
    if (!value) {
      ++made.failed;
      continue;
    }
    ++made.of[static_cast<std::size_t>(kernel - kernels_.begin())];
    made.boots.push_back({kernel->role, to_y(setup_.question, *value), record.ended_at});
  }
  return made;
}

/// R G B, B G R, … so that drift hits all alike.
const KernelSpec& Test::next(const Made& made) const {
  const std::size_t round = made.rounds();
  for (std::size_t place = 0; place < kernels_.size(); ++place) {
    const std::size_t i = round % 2 == 0 ? place : kernels_.size() - 1 - place;
    if (made.of[i] == round) return kernels_[i].spec;
  }
  return kernels_[0].spec;
}

Status Test::boot(const KernelSpec& spec, std::size_t round) {
  auto& observer = prober_.ports().observer;
  observer.probing(spec, fmt::format("revert test, boot {} of {}", round, kUsual));
  BR_TRY_ASSIGN(const auto record, prober_.boot(spec, setup_.machine, setup_.scenario));
  observer.booted(spec, record.boot,
                  boot_value(record.samples, setup_.question.metric, setup_.question.mark));
  return {};
}

/// Twice as far from every bound as a verdict must be.
bool stands(const stats::RevertTest& test) {
  const stats::Position strict{test.recovered.at, 2 * test.recovered.error};
  return test.verdict != RevertVerdict::inconclusive && stats::verdict_of(strict) == test.verdict;
}

std::optional<stats::RevertTest> judge(const std::vector<RevertBoot>& boots) {
  std::vector<stats::EndBoot> ends;
  for (const RevertBoot& boot : boots)
    if (boot.kernel != RevertBoot::Kernel::reverted)
      ends.push_back({boot.y, boot.time_s, boot.kernel == RevertBoot::Kernel::bad});
  const double s0 = stats::pilot_sd(ends, kFloor);
  return stats::judge_revert(boots, 2 * s0 * s0);
}

Result<RevertOutcome> Test::run() {
  RevertOutcome outcome;
  BR_TRY_ASSIGN(outcome.why_not, obstacle());
  while (outcome.why_not.empty()) {
    const Made now = made();
    outcome.boots = static_cast<int>(now.rounds());
    const auto test = now.rounds() >= kFewest ? judge(now.boots) : std::nullopt;
    if (test) {
      outcome.verdict = stats::to_string(test->verdict);
      outcome.recovered = test->recovered.at;
      outcome.error = test->recovered.error;
      const bool decided = test->verdict != RevertVerdict::inconclusive;
      if (stands(*test) || (decided && now.rounds() >= kUsual) || now.rounds() >= kMost) break;
    }
    if (now.failed > kFewest) {
      outcome.why_not = fmt::format("{} boots of the test failed", now.failed);
    } else if (auto why = spent(setup_.allowance, next(now), prober_); !why.empty()) {
      outcome.why_not = std::move(why);
    } else {
      BR_TRY(boot(next(now), now.rounds() + 1));
    }
  }
  return outcome;
}

}  // namespace

bool is_reverted(const KernelSpec& spec) {
  return !spec.patches.empty() && spec.patches.back().name.starts_with(kMark);
}

Result<RevertOutcome> run_revert_test(const RevertSetup& setup, Source& source, Prober& prober) {
  BR_TRY_ASSIGN(auto undoing, source.undo(setup.culprit.oid, setup.bad.commit));
  if (!undoing.patch) return RevertOutcome{.verdict = {}, .why_not = std::move(undoing.why_not)};
  undoing.patch->name = std::string(kMark) + setup.culprit.oid.abbreviated();
  KernelSpec reverted = setup.bad;
  reverted.patches.push_back(std::move(*undoing.patch));
  reverted.text = setup.bad.commit.abbreviated() + "+" + reverted.patches.back().name;
  return Test(setup, std::move(reverted), prober).run();
}

}  // namespace bisect_run::engine
