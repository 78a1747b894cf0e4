// rooms: lab store stats
// sources: harness/engine/boot_value.cpp harness/report/facts.cpp
// sources: harness/report/host_state.cpp harness/report/numbers.cpp
// options: -max_len=4096 -rss_limit_mb=192 -malloc_limit_mb=16
// A guest that says anything: whole messages, right, wrong, repeated, cut and out of order, bytes
// between them, in pieces of any size and at any time. What of it is let through must be what the
// scenario asks for, each sample once and within its bounds, and the store must take it.

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "engine/boot_value.h"
#include "fuzz/fuzz.h"
#include "fuzz/guest_talk.h"
#include "lab/session.h"
#include "report/facts.h"
#include "store/store.h"
#include "support/temp_dir.h"

namespace {

using namespace bisect_run;
using fuzz::Key;
using test::Bytes;
using test::require;

/// What was let through, and whether it may have been.
class Judge {
 public:
  explicit Judge(std::size_t workloads) {
    for (std::size_t i = 1; i <= workloads; ++i)
      for (const auto& [key, items] : fuzz::asked_of(i)) asked_[key] = items;
  }

  void take(const Sample& sample) {
    const Key key{sample.metric, sample.mark, sample.repetition, sample.chunk};
    require(seen_.insert(key).second);
    require(sample.wall_ns >= 0 && sample.items >= 0);
    require(!sample.value || std::isfinite(*sample.value));
    const auto asked = asked_.find(key);
    if (asked != asked_.end())
      ++due_;
    else
      require(sample.metric.starts_with("pairs."));
    require(asked == asked_.end() || asked->second == sample.items);
    samples_.push_back(sample);
  }

  /// A complete boot without a word has all that was asked for.
  void check(const lab::Ending& ending) const {
    if (ending.outcome == BootOutcome::complete && ending.reason.empty())
      require(due_ == asked_.size());
  }

  std::vector<Sample> samples() const { return samples_; }

 private:
  std::map<Key, std::int64_t> asked_;
  std::set<Key> seen_;
  std::size_t due_ = 0;
  std::vector<Sample> samples_;
};

/// A results file that takes what was let through. Made anew now and then, so that it stays small.
class Keeper {
 public:
  void keep(const Handshake& handshake, const std::vector<Sample>& samples,
            const lab::Ending& ending) {
    if (boots_++ % kBoots == 0) renew();
    const KernelSpec spec{"v1", {std::string(40, 'a')}, {}, "none"};
    const auto boot = store_->boot_started(run_, {spec, "signature", {}, "digest"});
    require(boot.has_value());
    require(store_->handshake(*boot, handshake).has_value());
    for (const auto& sample : samples) require(store_->sample(*boot, sample).has_value());
    Boot done;
    done.outcome = ending.outcome;
    done.reason = ending.reason;
    done.handshake = handshake;
    require(store_->boot_ended(*boot, done, 1).has_value());
  }

 private:
  static constexpr int kBoots = 400;

  void renew() {
    if (store_) require(store_->history(run_).has_value());
    store_.reset();
    place_.emplace();
    auto store = store::Store::open(*place_ / "results.db");
    require(store.has_value());
    store_.emplace(std::move(*store));
    auto run = store_->begin_run({}, {});
    require(run.has_value());
    run_ = *run;
  }

  std::optional<test::TempDir> place_;
  std::optional<store::Store> store_;
  std::string run_;
  int boots_ = 0;
};

/// What is asked back must be a message that the agent can read.
void check_outgoing(std::string text) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    require(end != text.npos && wire::decode_host(text.substr(0, end)).has_value());
    text.erase(0, end + 1);
  }
}

void judge_numbers(const std::vector<Sample>& samples) {
  for (const auto& sample : samples) {
    const auto value = engine::boot_value(samples, sample.metric, sample.mark);
    require(!value || (std::isfinite(*value) && *value > 0));
  }
  BootRecord record;
  record.samples = samples;
  report::reduce(record);
  require(record.samples.size() <= samples.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Keeper keeper;
  Bytes bytes(data, size);
  const auto options = bytes.byte();
  const auto workloads = static_cast<unsigned>(options % 3);
  const lab::Proof proof{"build", "config", options & 4 ? "all" : "none", "agent", 2};
  lab::Session session(fuzz::scenario(workloads), proof, {}, (options & 8) != 0,
                       lab::SampleClock(1'000'000, (options & 16) != 0));
  Judge judge(workloads);
  std::optional<Handshake> handshake;
  std::size_t next = 0;
  double now = 0;
  while (!bytes.empty()) {
    const auto received = fuzz::some_bytes(bytes, next);
    const std::size_t piece = 1 + bytes.byte() * bytes.byte();
    for (std::size_t at = 0; at < received.size(); at += piece)
      session.receive(std::string_view(received).substr(at, piece), now);
    now += bytes.byte() / 16.0;
    session.pass_time(now);
    while (const auto event = session.next_event()) {
      if (const auto* sample = std::get_if<Sample>(&*event)) {
        require(handshake.has_value());
        judge.take(*sample);
      } else {
        require(!handshake.has_value());
        handshake = std::get<Handshake>(*event);
      }
    }
    check_outgoing(session.take_outgoing());
    require(std::isfinite(session.next_deadline()));
    require(session.fraction() >= 0 && session.fraction() <= 1);
  }
  // Silence ends it at last.
  for (int i = 0; i < 4 && !session.ending(); ++i) session.pass_time(now += 2000);
  require(session.ending().has_value());
  judge.check(*session.ending());
  judge_numbers(judge.samples());
  if (handshake) keeper.keep(*handshake, judge.samples(), *session.ending());
  return 0;
}
