#include "wire/fields.h"
#include "wire/limits.h"
#include "wire/messages.h"

// Bytes that are no UTF-8 (a kernel command line may hold any) are replaced, never refused.

namespace bisect_run::wire {
namespace {

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

/// Valid UTF-8 of at most `longest` bytes, cut between characters.
std::string bounded(const std::string& text, std::size_t longest = kMaxName) {
  const std::string json = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string clean = Json::parse(json).get<std::string>();
  if (clean.size() <= longest) return clean;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(clean[end]) & 0xC0) == 0x80) --end;
  clean.resize(end);
  return clean;
}

Json json_of(const Step& step) {
  Json parameters = Json::object();
  for (const auto& [name, value] : step.parameters)
    std::visit([&](const auto& v) { parameters[name] = v; }, value);
  return {{"op", step.op}, {"parameters", std::move(parameters)}};
}

Json json_of(const std::vector<Step>& steps) {
  Json list = Json::array();
  for (const Step& step : steps) list.push_back(json_of(step));
  return list;
}

Json json_of(const Loop& loop) {
  return {{"metric", loop.metric},
          {"marks", loop.marks},
          {"count", loop.count},
          {"each", json_of(loop.each)}};
}

Json json_of(const Workload& workload) {
  Json loops = Json::array();
  for (const Loop& loop : workload.loops) loops.push_back(json_of(loop));
  return {{"name", workload.name},
          {"setup", json_of(workload.setup)},
          {"loops", std::move(loops)},
          {"teardown", json_of(workload.teardown)}};
}

template <class T>
void put_if(Json& json, const char* name, const std::optional<T>& value) {
  if (value) json[name] = *value;
}

struct Encoder {
  Json operator()(const RunWorkload& m) const {
    return {{"type", "run"},
            {"id", m.id},
            {"mode", m.mode},
            {"chunks", m.chunks},
            {"repetitions", m.repetitions},
            {"workload", json_of(m.workload)}};
  }
  Json operator()(const Ping&) const { return {{"type", "ping"}}; }
  Json operator()(const PowerOff&) const { return {{"type", "power_off"}}; }

  Json operator()(const Hello& m) const {
    return {{"type", "hello"},
            {"protocol", m.protocol},
            {"agent_digest", bounded(m.agent_digest)},
            {"release", bounded(m.release)},
            {"build_id", bounded(m.build_id)},
            {"config_digest", bounded(m.config_digest)},
            {"cmdline", bounded(m.cmdline, kMaxText)},
            {"cpus", m.cpus},
            {"clocksource", bounded(m.clocksource)},
            {"clock_resolution_ns", m.clock_resolution_ns},
            {"offloaded", bounded(m.offloaded, kMaxText)},
            {"rcu_threads", bounded(m.rcu_threads, kMaxText)}};
  }
  Json operator()(const Heartbeat& m) const {
    return {{"type", "heartbeat"}, {"id", m.id}, {"items", m.items}};
  }
  Json operator()(const SampleMessage& m) const {
    Json json{{"type", "sample"},
              {"id", m.id},
              {"metric", m.metric},
              {"mark", m.mark},
              {"repetition", m.repetition},
              {"chunk", m.chunk},
              {"items", m.items},
              {"wall_ns", m.wall_ns},
              {"unit", m.unit},
              {"not_supported", m.not_supported}};
    put_if(json, "user_ns", m.user_ns);
    put_if(json, "system_ns", m.system_ns);
    put_if(json, "voluntary_switches", m.voluntary_switches);
    put_if(json, "tsc_cycles", m.tsc_cycles);
    put_if(json, "value", m.value);
    return json;
  }
  Json operator()(const Done& m) const {
    return {{"type", "done"}, {"id", m.id}, {"clocksource", bounded(m.clocksource)}};
  }
  Json operator()(const Failed& m) const {
    return {{"type", "failed"},
            {"id", m.id},
            {"op", bounded(m.op)},
            {"reason", bounded(m.reason, kMaxReason)},
            {"unavailable", m.unavailable}};
  }
};

}  // namespace

std::string encode(const HostMessage& message) {
  return line_of(std::visit(Encoder{}, message));
}
std::string encode(const GuestMessage& message) {
  return line_of(std::visit(Encoder{}, message));
}

}  // namespace bisect_run::wire
