#include "clock.h"
#include "counters.h"
#include "crew.h"
#include "ops/ops.h"

#include <atomic>

namespace bisect_run::agent {
namespace {

/// A cache line to itself: it shall be fought for, its neighbours not.
struct alignas(128) Shared {
  std::atomic<std::uint64_t> value = 0;
};

class AtomicIncrement : public Operation {
 public:
  explicit AtomicIncrement(const wire::Step& step)
      : crew_(integer_of(step, "threads")), increments_(integer_of(step, "increments")) {}

  Outcome run(std::int64_t) override {
    shared_.value = 0;
    counters_.start();
    const std::int64_t start = monotonic_ns();
    const Outcome done = crew_.run([this](std::int64_t) -> Outcome {
      for (std::int64_t i = increments_; i > 0; --i)
        shared_.value.fetch_add(1, std::memory_order_relaxed);
      return {};
    });
    elapsed_ns_ = monotonic_ns() - start;
    counters_.stop();
    AGENT_TRY(done);
    if (shared_.value != static_cast<std::uint64_t>(crew_.size() * increments_))
      return fault("atomic increments were lost");
    return {};
  }

  std::vector<Output> outputs() override {
    std::vector<Output> all = counters_.read();
    // A read_lock and its read_unlock are two atomic operations.
    all.insert(
        all.begin(),
        {"pair", "ns", 2.0 * static_cast<double>(elapsed_ns_) / static_cast<double>(increments_)});
    return all;
  }

 private:
  Crew crew_;
  std::int64_t increments_;
  Counters counters_;
  Shared shared_;
  std::int64_t elapsed_ns_ = 0;
};

}  // namespace

Expected<OperationPtr> make_atomic_increment(const wire::Step& step, Context&) {
  return std::make_unique<AtomicIncrement>(step);
}

}  // namespace bisect_run::agent
