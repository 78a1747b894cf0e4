#include <utility>

#include "wire/fields.h"
#include "wire/limits.h"
#include "wire/messages.h"

namespace bisect_run::wire {
namespace {

template <class T>
using Decoded = std::expected<T, std::string>;

Decoded<ParameterValue> parameter_of(const Json& value, const std::string& name) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_string() && value.get_ref<const std::string&>().size() <= kMaxText)
    return value.get<std::string>();
  if (value.is_number_integer() &&
      !(value.is_number_unsigned() &&
        value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)))
    return value.get<std::int64_t>();
  return std::unexpected("parameter " + name +
                         ": neither an integer, true, false nor a short text");
}

Decoded<Step> step_of(const Json& json) {
  Fields fields(json, "step");
  Step step;
  step.op = fields.text("op", kMaxName);
  if (const Json* parameters = fields.object("parameters", kMaxParameters)) {
    for (const auto& [name, value] : parameters->items()) {
      if (name.size() > kMaxName) return std::unexpected("step: a parameter's name is too long");
      auto parameter = parameter_of(value, name);
      if (!parameter) return std::unexpected(std::move(parameter).error());
      step.parameters.emplace(name, *std::move(parameter));
    }
  }
  if (auto fault = fields.finish()) return std::unexpected(*std::move(fault));
  return step;
}

Decoded<std::vector<Step>> steps_of(Fields& fields, const char* name) {
  std::vector<Step> steps;
  const Json* list = fields.array(name, kMaxSteps);
  if (!list) return steps;  // the fault is in `fields`
  for (const Json& json : *list) {
    auto step = step_of(json);
    if (!step) return std::unexpected(std::string(name) + ": " + step.error());
    steps.push_back(*std::move(step));
  }
  return steps;
}

void read_marks(Fields& fields, std::vector<std::int64_t>& marks) {
  const Json* list = fields.array("marks", kMaxMarks);
  if (!list) return;
  std::int64_t last = 0;
  for (const Json& json : *list) {
    if (!json.is_number_integer() || json.get<std::int64_t>() <= last ||
        json.get<std::int64_t>() > kMaxItems)
      return fields.fault("marks are not ascending positive integers");
    marks.push_back(last = json.get<std::int64_t>());
  }
}

Decoded<Loop> loop_of(const Json& json) {
  Fields fields(json, "loop");
  Loop loop;
  loop.metric = fields.text("metric", kMaxName);
  read_marks(fields, loop.marks);
  loop.count = fields.integer("count", 0, kMaxItems);
  if (loop.marks.empty() && loop.count == 0) fields.fault("neither marks nor a count");
  auto each = steps_of(fields, "each");
  if (!each) return std::unexpected(std::move(each).error());
  loop.each = *std::move(each);
  if (auto fault = fields.finish()) return std::unexpected(*std::move(fault));
  return loop;
}

Decoded<Workload> workload_of(const Json& json) {
  Fields fields(json, "workload");
  Workload workload;
  workload.name = fields.text("name", kMaxName);
  auto setup = steps_of(fields, "setup");
  if (!setup) return std::unexpected(std::move(setup).error());
  auto teardown = steps_of(fields, "teardown");
  if (!teardown) return std::unexpected(std::move(teardown).error());
  workload.setup = *std::move(setup);
  workload.teardown = *std::move(teardown);
  if (const Json* loops = fields.array("loops", kMaxLoops)) {
    for (const Json& one : *loops) {
      auto loop = loop_of(one);
      if (!loop) return std::unexpected(std::move(loop).error());
      workload.loops.push_back(*std::move(loop));
    }
  }
  if (auto fault = fields.finish()) return std::unexpected(*std::move(fault));
  return workload;
}

Decoded<HostMessage> run_of(Fields& fields) {
  RunWorkload run;
  run.id = fields.integer("id", 0, kMaxId);
  run.mode = fields.text("mode", kMaxName);
  run.chunks = static_cast<int>(fields.integer("chunks", 1, kMaxChunks));
  run.repetitions = static_cast<int>(fields.integer("repetitions", 1, kMaxRepetitions));
  if (const Json* json = fields.object("workload", kMaxParameters)) {
    auto workload = workload_of(*json);
    if (!workload) return std::unexpected(std::move(workload).error());
    run.workload = *std::move(workload);
  }
  if (auto fault = fields.finish()) return std::unexpected(*std::move(fault));
  return run;
}

template <class T>
Decoded<HostMessage> bare(Fields& fields) {
  if (auto fault = fields.finish()) return std::unexpected(*std::move(fault));
  return T{};
}

}  // namespace

std::expected<HostMessage, std::string> decode_host(std::string_view line) {
  auto json = parse_line(line);
  if (!json) return std::unexpected(std::move(json).error());
  Fields fields(*json, "message");
  const std::string type = fields.text("type", kMaxName);
  if (type == "run") return run_of(fields);
  if (type == "ping") return bare<Ping>(fields);
  if (type == "power_off") return bare<PowerOff>(fields);
  if (auto fault = fields.finish(); fault && type.empty())
    return std::unexpected(*std::move(fault));
  return std::unexpected("unknown message type '" + type + "'");
}

}  // namespace bisect_run::wire
