#include <utility>

#include "wire/fields.h"
#include "wire/limits.h"
#include "wire/messages.h"

namespace bisect_run::wire {
namespace {

Hello hello_of(Fields& fields) {
  Hello hello;
  hello.protocol = static_cast<int>(fields.integer("protocol", 1, 1'000'000));
  hello.agent_digest = fields.text("agent_digest", kMaxName);
  hello.release = fields.text("release", kMaxName);
  hello.build_id = fields.text("build_id", kMaxName);
  hello.config_digest = fields.text("config_digest", kMaxName);
  hello.cmdline = fields.text("cmdline", kMaxText);
  hello.cpus = static_cast<int>(fields.integer("cpus", 1, kMaxCpus));
  hello.clocksource = fields.text("clocksource", kMaxName);
  hello.clock_resolution_ns = fields.integer("clock_resolution_ns", 0, kMaxDuration_ns);
  hello.offloaded = fields.text("offloaded", kMaxText);
  hello.rcu_threads = fields.text("rcu_threads", kMaxText);
  return hello;
}

Heartbeat heartbeat_of(Fields& fields) {
  Heartbeat heartbeat;
  heartbeat.id = fields.integer("id", 0, kMaxId);
  heartbeat.items = fields.integer("items", 0, kMaxItems);
  return heartbeat;
}

SampleMessage sample_of(Fields& fields) {
  SampleMessage sample;
  sample.id = fields.integer("id", 0, kMaxId);
  sample.metric = fields.text("metric", kMaxName);
  sample.mark = fields.integer("mark", 0, kMaxItems);
  sample.repetition = static_cast<std::int32_t>(fields.integer("repetition", 0, kMaxRepetitions));
  sample.chunk = static_cast<std::int32_t>(fields.integer("chunk", 0, kMaxChunks));
  sample.items = fields.integer("items", 0, kMaxItems);
  sample.wall_ns = fields.integer("wall_ns", 0, kMaxDuration_ns);
  sample.user_ns = fields.optional_integer("user_ns", 0, kMaxDuration_ns);
  sample.system_ns = fields.optional_integer("system_ns", 0, kMaxDuration_ns);
  sample.voluntary_switches = fields.optional_integer("voluntary_switches", 0, kMaxCount);
  sample.tsc_cycles = fields.optional_integer("tsc_cycles", 0, kMaxCount);
  sample.unit = fields.text("unit", kMaxName);
  sample.value = fields.optional_number("value");
  sample.not_supported = fields.boolean("not_supported");
  if (sample.value && sample.not_supported)
    fields.fault("a counter that is not supported has a value");
  return sample;
}

Done done_of(Fields& fields) {
  Done done;
  done.id = fields.integer("id", 0, kMaxId);
  done.clocksource = fields.text("clocksource", kMaxName);
  return done;
}

Failed failed_of(Fields& fields) {
  Failed failed;
  failed.id = fields.integer("id", 0, kMaxId);
  failed.op = fields.text("op", kMaxName);
  failed.reason = fields.text("reason", kMaxReason);
  failed.unavailable = fields.boolean("unavailable");
  return failed;
}

template <class T>
std::expected<GuestMessage, std::string> checked(Fields& fields, T message) {
  if (auto fault = fields.finish()) return std::unexpected(*std::move(fault));
  return message;
}

}  // namespace

std::expected<GuestMessage, std::string> decode_guest(std::string_view line) {
  auto json = parse_line(line);
  if (!json) return std::unexpected(std::move(json).error());
  Fields fields(*json, "message");
  const std::string type = fields.text("type", kMaxName);
  if (type == "hello") return checked(fields, hello_of(fields));
  if (type == "heartbeat") return checked(fields, heartbeat_of(fields));
  if (type == "sample") return checked(fields, sample_of(fields));
  if (type == "done") return checked(fields, done_of(fields));
  if (type == "failed") return checked(fields, failed_of(fields));
  if (auto fault = fields.finish(); fault && type.empty())
    return std::unexpected(*std::move(fault));
  return std::unexpected("unknown message type '" + type + "'");
}

}  // namespace bisect_run::wire
