// rooms: lab store stats
// sources: harness/engine/boot_value.cpp harness/report/facts.cpp
// sources: harness/report/host_state.cpp harness/report/numbers.cpp
// options: -max_len=4096 -rss_limit_mb=192 -malloc_limit_mb=16
// A guest that says anything: whole messages, right, wrong, repeated, cut and out of order, bytes
// between them, in pieces of any size and at any time. What of it is let through must be what the
// scenario asks for, each sample once and within its bounds, and the store must take it.

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "engine/boot_value.h"
#include "fuzz/fuzz.h"
#include "lab/session.h"
#include "report/facts.h"
#include "store/store.h"
#include "support/temp_dir.h"

namespace {

using namespace bisect_run;
using test::Bytes;
using test::require;
using Key = std::tuple<std::string, std::int64_t, int, int>;  // metric, mark, repetition, chunk

constexpr int kChunks = 2, kRepetitions = 2;

wire::Loop loop(std::string metric, std::vector<std::int64_t> marks, std::int64_t count,
                std::string op) {
  return {std::move(metric), std::move(marks), count, {{std::move(op), {}}}};
}

Scenario scenario(unsigned which) {
  Scenario it;
  it.name = "fuzz";
  it.mode = "direct";
  it.chunks = kChunks;
  it.repetitions = kRepetitions;
  if (which > 0) it.workloads = {{"w1", {}, {loop("add", {1, 4}, 0, "netns_add")}, {}}};
  if (which > 1) it.workloads.push_back({"w2", {}, {loop("pairs", {}, 3, "atomic_increment")}, {}});
  return it;
}

/// Of each workload by hand: what it yields and of how many items.
std::vector<std::pair<Key, std::int64_t>> asked_of(std::size_t workload) {
  std::vector<std::pair<Key, std::int64_t>> asked;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    if (workload == 1) {
      asked.push_back({{"add", 1, repetition, 0}, 1});
      asked.push_back({{"add", 4, repetition, 0}, 1});
      asked.push_back({{"add", 4, repetition, 1}, 2});
    } else {
      asked.push_back({{"pairs", 0, repetition, 0}, 3});
    }
  }
  return asked;
}

wire::Hello right_hello() {
  wire::Hello it;
  it.agent_digest = "agent";
  it.release = "6.1.0";
  it.build_id = "build";
  it.config_digest = "config";
  it.cpus = 2;
  it.clocksource = "tsc";
  it.clock_resolution_ns = 1;
  return it;
}

wire::Hello some_hello(Bytes& bytes) {
  auto it = right_hello();
  switch (bytes.below(8)) {
    case 0:
      it.protocol = static_cast<int>(bytes.integer());
      break;
    case 1:
      it.build_id = bytes.text(bytes.below(20));
      break;
    case 2:
      it.cpus = static_cast<int>(bytes.integer());
      break;
    case 3:
      it.clock_resolution_ns = bytes.integer();
      break;
    case 4:
      it.offloaded = bytes.text(bytes.below(40));
      break;
    case 5:
      it.cmdline = std::string(bytes.byte() * 100, 'x');
      break;
    case 6:
      it.release = bytes.text(bytes.below(40));
      break;
    default:
      it.clocksource = bytes.text(bytes.below(40));
  }
  return it;
}

/// The sample that is due next, or one with something of it changed.
wire::SampleMessage some_sample(Bytes& bytes, std::size_t& next) {
  const std::int64_t id = 1 + static_cast<std::int64_t>(bytes.below(2));
  const auto asked = asked_of(static_cast<std::size_t>(id));
  wire::SampleMessage it;
  const auto& [key, items] = asked[next++ % asked.size()];
  it.id = id;
  std::tie(it.metric, it.mark, it.repetition, it.chunk) = key;
  it.items = items;
  it.wall_ns = 1000;
  it.tsc_cycles = 2000;
  switch (bytes.below(16)) {
    case 0:
      it.id = bytes.integer();
      break;
    case 1:
      it.metric = bytes.text(bytes.below(12));
      break;
    case 2:
      it.mark = bytes.integer();
      break;
    case 3:
      it.repetition = static_cast<std::int32_t>(bytes.integer());
      break;
    case 4:
      it.chunk = static_cast<std::int32_t>(bytes.integer());
      break;
    case 5:
      it.items = bytes.integer();
      break;
    case 6:
      it.wall_ns = bytes.integer();
      break;
    case 7:
      it.tsc_cycles = bytes.integer();
      break;
    case 8:
      it.unit = bytes.text(bytes.below(12));
      it.value = bytes.number(1);
      break;
    case 9:
      it.metric = "pairs.cycles";
      it.not_supported = true;
      break;
    case 10:
      it.user_ns = bytes.integer();
      it.system_ns = bytes.integer();
      break;
    default:
      break;
  }
  return it;
}

std::string some_line(Bytes& bytes, std::size_t& next) {
  switch (bytes.below(8)) {
    case 0:
      return wire::encode(wire::GuestMessage(right_hello()));
    case 1:
      return wire::encode(wire::GuestMessage(some_hello(bytes)));
    case 2:
    case 3:
      return wire::encode(wire::GuestMessage(some_sample(bytes, next)));
    case 4:
      return wire::encode(wire::GuestMessage(wire::Heartbeat{bytes.integer(), bytes.integer()}));
    case 5:
      return wire::encode(wire::GuestMessage(wire::Done{
          1 + static_cast<std::int64_t>(bytes.below(3)), bytes.byte() ? "tsc" : "hpet"}));
    case 6:
      return wire::encode(wire::GuestMessage(
          wire::Failed{1 + static_cast<std::int64_t>(bytes.below(3)), "netns_add",
                       bytes.text(bytes.below(20)), bytes.byte() % 2 == 0}));
    default: {
      auto raw = bytes.text(bytes.byte());
      return bytes.byte() % 2 == 0 ? raw + "\n" : raw;
    }
  }
}

/// What the guest sends between two looks of the host, after all that may happen to it.
std::string some_bytes(Bytes& bytes, std::size_t& next) {
  std::vector<std::string> lines;
  for (auto n = 1 + bytes.below(8); n > 0 && !bytes.empty(); --n)
    lines.push_back(some_line(bytes, next));
  if (lines.empty()) return {};
  auto& victim = lines[bytes.below(lines.size())];
  const auto at = bytes.below(victim.size() + 1);
  switch (bytes.below(12)) {
    case 0:
      victim.resize(at);
      break;
    case 1:
      victim.insert(at, bytes.text(bytes.below(16)));
      break;
    case 2:
      victim.insert(at, std::string(bytes.byte() * 1024, 'y'));
      break;
    case 3:
      lines.push_back(victim);
      break;
    case 4:
      std::ranges::reverse(lines);
      break;
    case 5:
      victim.insert(at, lines.front());
      break;
    case 6:
      if (at < victim.size()) victim[at] = static_cast<char>(bytes.byte());
      break;
    default:
      break;
  }
  std::string all;
  for (const auto& line : lines) all += line;
  return all;
}

/// What was let through, and whether it may have been.
class Judge {
 public:
  explicit Judge(std::size_t workloads) {
    for (std::size_t i = 1; i <= workloads; ++i)
      for (const auto& [key, items] : asked_of(i)) asked_[key] = items;
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
  lab::Session session(scenario(workloads), proof, {}, (options & 8) != 0,
                       lab::SampleClock(1'000'000, (options & 16) != 0));
  Judge judge(workloads);
  std::optional<Handshake> handshake;
  std::size_t next = 0;
  double now = 0;
  while (!bytes.empty()) {
    const auto received = some_bytes(bytes, next);
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
