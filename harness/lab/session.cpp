#include "lab/session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace bisect_run::lab {
namespace {

constexpr double kPingEvery_s = 5;
// Firmware and boot loaders may write to the port too, but not that much.
constexpr std::uint64_t kMostBeforeHello = 256 * 1024;

Handshake handshake_of(const wire::Hello& hello, double seconds) {
  return {.release = hello.release,
          .build_id = hello.build_id,
          .config_digest = hello.config_digest,
          .cmdline = hello.cmdline,
          .agent_digest = hello.agent_digest,
          .cpus = hello.cpus,
          .clocksource = hello.clocksource,
          .clock_resolution_ns = hello.clock_resolution_ns,
          .offloaded = hello.offloaded,
          .boot_seconds = seconds};
}

Sample sample_of(const wire::SampleMessage& message) {
  return {.metric = message.metric,
          .mark = message.mark,
          .repetition = message.repetition,
          .chunk = message.chunk,
          .items = message.items,
          .wall_ns = message.wall_ns,
          .user_ns = message.user_ns,
          .system_ns = message.system_ns,
          .voluntary_switches = message.voluntary_switches,
          .tsc_cycles = message.tsc_cycles,
          .unit = message.unit,
          .value = message.not_supported ? std::nullopt : message.value};
}

}  // namespace

Session::Session(Scenario scenario, Proof proof, Deadlines deadlines, bool guest_clock_is_real,
                 SampleClock clock)
    : scenario_(std::move(scenario)),
      proof_(std::move(proof)),
      deadlines_(deadlines),
      real_clock_(guest_clock_is_real),
      clock_(clock) {
  for (const auto& workload : scenario_.workloads)
    all_samples_ += SamplePlan(workload, scenario_.chunks, scenario_.repetitions).expected();
}

void Session::receive(std::string_view bytes, double now) {
  if (ending_) return;
  bytes_received_ += bytes.size();
  last_life_ = now;
  lines_.feed(bytes);
  while (!ending_) {
    const auto line = lines_.next();
    if (!line) break;
    take_line(*line, now);
  }
  if (!ending_ && !hello_ && bytes_received_ > kMostBeforeHello)
    protocol_fault("the guest writes on the agent's port, but the agent does not say hello");
}

void Session::take_line(const LineReader::Line& line, double now) {
  if (!hello_) return take_early_line(line.text, now);
  if (line.overlong) return protocol_fault("the guest sent an endless line");
  const auto message = wire::decode_guest(line.text);
  if (!message)
    return protocol_fault("the guest sent a line that is no message: " + message.error());
  std::visit([&](const auto& it) { take(it, now); }, *message);
}

// The hello may stand behind what others wrote on the port without a newline.
void Session::take_early_line(std::string_view text, double now) {
  for (int tries = 0; tries < 4; ++tries) {
    const auto start = text.find("{\"");
    if (start == text.npos) return;
    text.remove_prefix(start);
    if (const auto message = wire::decode_guest(text)) {
      if (const auto* hello = std::get_if<wire::Hello>(&*message)) return take(*hello, now);
      return protocol_fault("the guest's first message is no hello");
    }
    text.remove_prefix(1);
  }
}

void Session::take(const wire::Hello& hello, double now) {
  if (hello_) {
    // The agent repeats itself until it has heard us.
    if (wire::encode(wire::GuestMessage(hello)) != wire::encode(wire::GuestMessage(*hello_)))
      protocol_fault("the guest said hello twice, and not the same");
    return;
  }
  hello_ = hello;
  hello_at_ = now;
  if (auto difference = check_handshake(hello, proof_)) {
    ending_ = std::move(difference);
    return;
  }
  clock_.look_at(hello);
  auto handshake = handshake_of(hello, now);
  clock_.label(handshake);
  events_.emplace_back(std::move(handshake));
  start_next_workload(now);
}

bool Session::is_current(std::int64_t id, const char* what) {
  if (plan_ && id == static_cast<std::int64_t>(next_workload_)) return true;
  protocol_fault(fmt::format("the guest sent {} for workload {}, which does not run", what, id));
  return false;
}

void Session::take(const wire::Heartbeat& heartbeat, double) {
  is_current(heartbeat.id, "a heartbeat");
}

void Session::take(const wire::SampleMessage& message, double now) {
  if (!is_current(message.id, "a sample")) return;
  if (const auto wrong = plan_->take(message)) return protocol_fault(*wrong);
  if (message.wall_ns < 0) return protocol_fault("a sample took less than no time");
  auto sample = sample_of(message);
  if (!clock_.retime(sample))
    return end(BootOutcome::scenario_failed,
               "the guest has no usable time stamp counter, and no other fine clock");
  claimed_s_ += static_cast<double>(sample.wall_ns) * 1e-9;
  // Guest clocks may run unevenly, but no guest measures for longer than we have waited.
  if (real_clock_ && claimed_s_ > 2 * (now - workload_at_) + 5)
    return protocol_fault(fmt::format("samples claim {:.0f} s, but the workload runs for {:.0f} s",
                                      claimed_s_, now - workload_at_));
  samples_ = std::min(samples_ + 1, all_samples_);
  events_.emplace_back(std::move(sample));
}

void Session::take(const wire::Done& done, double now) {
  if (!is_current(done.id, "an end")) return;
  if (!plan_->complete())
    return protocol_fault(fmt::format("workload {} ended after {} of {} samples", current().name,
                                      plan_->taken(), plan_->expected()));
  if (done.clocksource != hello_->clocksource && !clock_.by_counter())
    return end(BootOutcome::scenario_failed,
               fmt::format("the guest's clock source changed from {} to {} while it measured",
                           hello_->clocksource, done.clocksource));
  start_next_workload(now);
}

void Session::take(const wire::Failed& failed, double now) {
  if (!is_current(failed.id, "a failure")) return;
  if (!failed.unavailable) {
    const auto where = failed.op.empty() ? "" : fmt::format(": {}", failed.op);
    return end(BootOutcome::scenario_failed,
               fmt::format("workload {}{} failed: {}", current().name, where, failed.reason));
  }
  // The rest of the scenario goes on where it can.
  auto what = fmt::format("{} is not available on this kernel: {}", failed.op, failed.reason);
  if (lacks_.empty() || lacks_.back().what != what) lacks_.push_back({std::move(what), {}});
  lacks_.back().workloads.push_back(current().name);
  start_next_workload(now);
}

void Session::start_next_workload(double now) {
  plan_.reset();
  if (next_workload_ == scenario_.workloads.size()) return end_of_work();
  const auto& workload = scenario_.workloads[next_workload_++];
  plan_.emplace(workload, scenario_.chunks, scenario_.repetitions);
  workload_at_ = now;
  claimed_s_ = 0;
  send(wire::RunWorkload{static_cast<std::int64_t>(next_workload_), scenario_.mode,
                         scenario_.chunks, scenario_.repetitions, workload},
       now);
}

void Session::end_of_work() {
  std::size_t lost = 0;
  std::string reason;
  for (const auto& lack : lacks_) {
    lost += lack.workloads.size();
    reason += fmt::format("{}workload{} {}: {}", reason.empty() ? "" : "; ",
                          lack.workloads.size() == 1 ? "" : "s", fmt::join(lack.workloads, ", "),
                          lack.what);
  }
  end(lost > 0 && lost == scenario_.workloads.size() ? BootOutcome::scenario_failed
                                                     : BootOutcome::complete,
      reason);
}

void Session::send(const wire::HostMessage& message, double now) {
  outgoing_ += wire::encode(message);
  last_sent_ = now;
}

void Session::end(BootOutcome outcome, std::string reason) {
  if (!ending_) ending_ = Ending{outcome, std::move(reason)};
}

void Session::pass_time(double now) {
  if (ending_) return;
  if (hello_ && now - last_sent_ >= kPingEvery_s) send(wire::Ping{}, now);
  if (now - last_life_ >= deadlines_.silence_s)
    return end(BootOutcome::hang,
               fmt::format("no sign of life for {:.0f} s{}", deadlines_.silence_s,
                           hello_ ? "" : ", before the agent said hello"));
  if (!hello_ && now >= deadlines_.boot_s)
    return end(BootOutcome::hang,
               fmt::format("the agent did not say hello in {:.0f} s", deadlines_.boot_s));
  if (hello_ && now - hello_at_ >= deadlines_.scenario_s)
    return end(BootOutcome::scenario_failed,
               fmt::format("the scenario was not done in {:.0f} s ({} of {} samples)",
                           deadlines_.scenario_s, samples_, all_samples_));
  if (now >= deadlines_.probe_s)
    end(BootOutcome::scenario_failed,
        fmt::format("the boot was not done in {:.0f} s", deadlines_.probe_s));
}

double Session::next_deadline() const {
  const double phase = hello_
                           ? std::min(hello_at_ + deadlines_.scenario_s, last_sent_ + kPingEvery_s)
                           : deadlines_.boot_s;
  return std::min({phase, last_life_ + deadlines_.silence_s, deadlines_.probe_s});
}

std::optional<Session::Event> Session::next_event() {
  if (events_.empty()) return std::nullopt;
  Event event = std::move(events_.front());
  events_.pop_front();
  return event;
}

std::string Session::take_outgoing() {
  return std::exchange(outgoing_, {});
}

double Session::fraction() const {
  return all_samples_ == 0 ? 1 : static_cast<double>(samples_) / static_cast<double>(all_samples_);
}

}  // namespace bisect_run::lab
