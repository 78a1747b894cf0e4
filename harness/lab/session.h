#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lab/handshake.h"
#include "lab/line_reader.h"
#include "lab/sample_clock.h"
#include "lab/sample_plan.h"
#include "model/boot.h"
#include "model/scenario.h"
#include "wire/messages.h"

namespace bisect_run::lab {

/// All in seconds.
struct Deadlines {
  double silence_s = 30;    ///< without a sign of life on console or channel
  double boot_s = 60;       ///< until the agent says hello
  double scenario_s = 900;  ///< from hello to the last sample
  double probe_s = 1200;    ///< the whole life of the VM
};

/// One talk with one guest, as a state machine: bytes and the time go in; events, bytes to send
/// and at last an ending come out. It reads no clock, waits for nothing and trusts no byte.
class Session {
 public:
  using Event = std::variant<Handshake, Sample>;

  /// Without workloads in the scenario it is over, complete, after the handshake.
  /// `guest_clock_is_real`: the guest's clock runs with ours, so that its durations are bounded.
  Session(Scenario scenario, Proof proof, Deadlines deadlines, bool guest_clock_is_real = true,
          SampleClock clock = {});

  /// Times are seconds since the VM was asked for, never backwards.
  void receive(std::string_view bytes, double now);
  void console_grew(double now) { last_life_ = now; }
  void pass_time(double now);

  std::optional<Event> next_event();
  std::string take_outgoing();
  /// When pass_time must be called at the latest.
  double next_deadline() const;

  const std::optional<Ending>& ending() const { return ending_; }
  bool said_hello() const { return hello_.has_value(); }
  std::uint64_t bytes_received() const { return bytes_received_; }
  /// Measured share of all samples, 0..1.
  double fraction() const;

 private:
  void take_line(const LineReader::Line& line, double now);
  void take_early_line(std::string_view text, double now);
  void take(const wire::Hello& hello, double now);
  void take(const wire::Heartbeat& heartbeat, double now);
  void take(const wire::SampleMessage& message, double now);
  void take(const wire::Done& done, double now);
  void take(const wire::Failed& failed, double now);
  void start_next_workload(double now);
  void end_of_work();
  void send(const wire::HostMessage& message, double now);
  void end(BootOutcome outcome, std::string reason);
  void protocol_fault(std::string reason) { end(BootOutcome::protocol, std::move(reason)); }
  bool is_current(std::int64_t id, const char* what);
  const wire::Workload& current() const { return scenario_.workloads[next_workload_ - 1]; }

  Scenario scenario_;
  Proof proof_;
  Deadlines deadlines_;
  bool real_clock_;
  SampleClock clock_;

  LineReader lines_;
  std::deque<Event> events_;
  std::string outgoing_;
  std::optional<Ending> ending_;
  std::optional<wire::Hello> hello_;
  std::optional<SamplePlan> plan_;  ///< of the current workload
  std::size_t next_workload_ = 0;   ///< also the id of the current one
  /// What this kernel does not have, and which workloads were lost because of that.
  struct Lack {
    std::string what;
    std::vector<std::string> workloads;
  };
  std::vector<Lack> lacks_;
  std::size_t all_samples_ = 0, samples_ = 0;
  double last_life_ = 0, last_sent_ = 0, hello_at_ = 0, workload_at_ = 0;
  double claimed_s_ = 0;  ///< sum of the durations the guest claims for a workload
  std::uint64_t bytes_received_ = 0;
};

}  // namespace bisect_run::lab
