#pragma once

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fuzz/fuzz.h"
#include "lab/session.h"
#include "support/hello.h"

// What a guest may say, right and wrong, and what it was asked for.

namespace bisect_run::fuzz {

using test::Bytes;
using Key = std::tuple<std::string, std::int64_t, int, int>;  // metric, mark, repetition, chunk

constexpr int kChunks = 2, kRepetitions = 2;

inline wire::Loop loop(std::string metric, std::vector<std::int64_t> marks, std::int64_t count,
                       std::string op) {
  return {std::move(metric), std::move(marks), count, {{std::move(op), {}}}};
}

inline Scenario scenario(unsigned which) {
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
inline std::vector<std::pair<Key, std::int64_t>> asked_of(std::size_t workload) {
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

inline wire::Hello some_hello(Bytes& bytes) {
  auto it = test::hello();
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
inline wire::SampleMessage some_sample(Bytes& bytes, std::size_t& next) {
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

inline std::string some_line(Bytes& bytes, std::size_t& next) {
  switch (bytes.below(8)) {
    case 0:
      return wire::encode(wire::GuestMessage(test::hello()));
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
inline std::string some_bytes(Bytes& bytes, std::size_t& next) {
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

}  // namespace bisect_run::fuzz
