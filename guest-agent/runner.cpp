#include "runner.h"

#include <optional>
#include <utility>

#include "chunks.h"
#include "clock.h"
#include "drain.h"
#include "operation.h"
#include "wire/operations.h"

namespace bisect_run::agent {
namespace {

/// With the names of their steps, which outlive them.
using Operations = std::vector<std::pair<const char*, OperationPtr>>;

std::optional<Mode> mode_from(const std::string& word) {
  if (word == "process") return Mode::process;
  if (word == "fork") return Mode::fork;
  if (word == "direct") return Mode::direct;
  return std::nullopt;
}

std::unexpected<Fault> at(const char* op, Fault fault) {
  fault.op = op;
  return std::unexpected(std::move(fault));
}

/// The host has checked the steps already; a wrong one here would cost a boot all the same.
Outcome check(std::vector<wire::Step>& steps, const std::string& mode) {
  for (wire::Step& step : steps) {
    if (auto wrong = wire::complete(step))
      return at(step.op.c_str(), Fault{.reason = wrong->message});
    if (!wire::find_operation(step.op)->supports(mode))
      return at(step.op.c_str(), Fault{.reason = "has no mode " + mode});
  }
  return {};
}

Outcome check(wire::Workload& workload, const std::string& mode) {
  AGENT_TRY(check(workload.setup, mode));
  for (wire::Loop& loop : workload.loops) AGENT_TRY(check(loop.each, mode));
  return check(workload.teardown, mode);
}

Expected<Operations> make_all(const std::vector<wire::Step>& steps, Context& context) {
  Operations operations;
  for (const wire::Step& step : steps) {
    auto made = make_operation(step, context);
    if (!made) return at(step.op.c_str(), std::move(made).error());
    operations.emplace_back(step.op.c_str(), std::move(*made));
  }
  return operations;
}

Outcome run_all(Operations& operations, std::int64_t item) {
  for (auto& [name, operation] : operations)
    if (Outcome done = operation->run(item); !done) return at(name, std::move(done).error());
  return {};
}

/// Each step is made only when the one before has run: it may need what that one made.
Outcome run_once(const std::vector<wire::Step>& steps, Context& context) {
  for (const wire::Step& step : steps) {
    auto operation = make_operation(step, context);
    if (!operation) return at(step.op.c_str(), std::move(operation).error());
    if (Outcome done = (*operation)->run(0); !done)
      return at(step.op.c_str(), std::move(done).error());
  }
  return {};
}

class Run {
 public:
  Run(const wire::RunWorkload& request, Context& context, SampleTaker& taker,
      std::atomic<std::int64_t>& items)
      : request_(request), context_(context), taker_(taker), items_(items) {}

  Outcome repetition(std::int32_t number) {
    repetition_ = number;
    AGENT_TRY(run_once(request_.workload.setup, context_));
    for (const wire::Loop& loop : request_.workload.loops) AGENT_TRY(measure(loop));
    return run_once(request_.workload.teardown, context_);
  }

 private:
  Outcome measure(const wire::Loop& loop) {
    auto operations = make_all(loop.each, context_);
    if (!operations) return std::unexpected(std::move(operations).error());
    items_ = 0;
    for (const std::vector<Chunk>& interval : intervals_of(loop, request_.chunks)) {
      std::vector<wire::SampleMessage> samples;
      samples.reserve(interval.size());
      for (const Chunk& chunk : interval) {
        const Moment start = start_moment();
        AGENT_TRY(run_chunk(*operations, chunk));
        const Moment end = end_moment();
        set_spent(samples.emplace_back(sample_of(loop, chunk)), start, end);
        add_outputs(*operations, samples);
      }
      taker_.take(samples);
    }
    return {};
  }

  Outcome run_chunk(Operations& operations, const Chunk& chunk) {
    for (std::int64_t item = chunk.first; item < chunk.end; ++item) {
      AGENT_TRY(run_all(operations, item));
      items_.store(item + 1, std::memory_order_relaxed);
    }
    return {};
  }

  /// What operations have counted by themselves, each a sample beside the loop's own.
  static void add_outputs(Operations& operations, std::vector<wire::SampleMessage>& samples) {
    wire::SampleMessage own = samples.back();
    own.wall_ns = 0;  // the time belongs to the loop's sample, once
    own.user_ns = own.system_ns = own.voluntary_switches = own.tsc_cycles = std::nullopt;
    for (auto& [name, operation] : operations)
      for (const Output& output : operation->outputs()) {
        wire::SampleMessage& sample = samples.emplace_back(own);
        sample.metric = wire::output_metric(own.metric, output.name);
        sample.unit = output.unit;
        sample.value = output.value;
        sample.not_supported = !output.value;
      }
  }

  wire::SampleMessage sample_of(const wire::Loop& loop, const Chunk& chunk) const {
    wire::SampleMessage sample;
    sample.id = request_.id;
    sample.metric = loop.metric;
    sample.mark = chunk.mark;
    sample.repetition = repetition_;
    sample.chunk = chunk.number;
    sample.items = chunk.end - chunk.first;
    return sample;
  }

  const wire::RunWorkload& request_;
  Context& context_;
  SampleTaker& taker_;
  std::atomic<std::int64_t>& items_;
  std::int32_t repetition_ = 0;
};

Expected<Context> make_context(const std::string& mode_word) {
  const auto mode = mode_from(mode_word);
  if (!mode) return fault("unknown mode '" + mode_word + "'");
  auto netlink = Netlink::open();
  if (!netlink) return std::unexpected(netlink.error());
  auto programs = Programs::make();
  if (!programs) return std::unexpected(programs.error());
  return Context{.mode = *mode,
                 .netlink = std::move(*netlink),
                 .programs = std::move(*programs),
                 .ip = find_program("ip")};
}

}  // namespace

Outcome run_workload(const wire::RunWorkload& request, SampleTaker& taker,
                     std::atomic<std::int64_t>& items) {
  wire::RunWorkload checked = request;
  AGENT_TRY(check(checked.workload, checked.mode));
  auto context = make_context(checked.mode);
  if (!context) return std::unexpected(std::move(context).error());
  Run run(checked, *context, taker, items);
  for (std::int32_t number = 0; number < checked.repetitions; ++number) {
    if (Outcome empty = empty_guest(context->netlink); !empty)
      return at("drain", std::move(empty).error());
    const Outcome done = run.repetition(number);
    const Outcome empty = empty_guest(context->netlink);
    if (!done) return done;
    if (!empty) return at("drain", empty.error());
  }
  return {};
}

}  // namespace bisect_run::agent
