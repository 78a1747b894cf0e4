#include "lab/life.h"

#include <algorithm>
#include <utility>

namespace bisect_run::lab {
namespace {

using namespace std::chrono_literals;

// The console is a file and cannot wake anybody: so often it is looked at.
constexpr auto kConsoleEvery = 200ms;
// A closed channel is the first sign of an end; how it ended is told by libvirt a little later.
constexpr double kEndAfterClose_s = 5;

}  // namespace

Life::Life(vm::Domain& domain, Session& session, const Observer& observer,
           Clock::time_point asked_at)
    : domain_(domain),
      session_(session),
      observer_(observer),
      asked_at_(asked_at),
      console_(domain.console()),
      cpu_at_start_(domain.cpu_seconds()) {}

Ending Life::run(std::stop_token stop) {
  while (step(stop)) {
  }
  read_last_words();
  seen_.stopped = stop.stop_requested() &&
                  !(session_.ending() && session_.ending()->outcome == BootOutcome::complete);
  return classify(evidence());
}

bool Life::step(std::stop_token stop) {
  const auto deadline = asked_at_ + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(session_.next_deadline()));
  const auto news = domain_.wait(std::min(Clock::now() + kConsoleEvery, deadline), stop);
  if (!news.received.empty()) session_.receive(news.received, now());
  if (console_.poll()) session_.console_grew(now());
  session_.pass_time(now());
  tell_observer();
  domain_.send(session_.take_outgoing());
  seen_.domain = news.end;
  seen_.channel_closed = news.channel_closed;
  if (news.channel_closed && closed_at_ < 0) closed_at_ = now();
  const bool lost = closed_at_ >= 0 && now() - closed_at_ > kEndAfterClose_s;
  return !stop.stop_requested() && !session_.ending() && seen_.recorder_error.empty() &&
         seen_.domain == vm::DomainEnd::running && !lost && !console_.log().flooded();
}

void Life::tell_observer() {
  while (const auto event = session_.next_event()) {
    Status status;
    if (const auto* handshake = std::get_if<Handshake>(&*event)) {
      if (observer_.handshake) status = observer_.handshake(*handshake);
    } else if (observer_.sample) {
      status = observer_.sample(std::get<Sample>(*event));
    }
    if (!status) {
      seen_.recorder_error = status.error().message;
      return;
    }
  }
  tell_progress();
}

void Life::tell_progress() {
  if (!observer_.progress) return;
  if (session_.said_hello())
    observer_.progress("measure", session_.fraction());
  else
    observer_.progress("boot", 0);
}

std::optional<double> Life::cpu_seconds() const {
  const double seconds = domain_.cpu_seconds();
  return seconds > 0 ? std::optional(seconds) : std::nullopt;
}

// A panic's last lines may come after the session gave up, or after the channel went.
void Life::read_last_words() {
  const bool over = session_.ending() && session_.ending()->outcome == BootOutcome::complete;
  if (!over && seen_.domain == vm::DomainEnd::running && seen_.recorder_error.empty())
    seen_.domain = domain_.wait(Clock::now(), {}).end;
  console_.poll();
}

Evidence Life::evidence() const {
  Evidence all = seen_;
  all.session = session_.ending();
  all.held = seen_.domain == vm::DomainEnd::running && domain_.held();
  all.flooded = console_.log().flooded();
  all.panic = console_.log().panic();
  all.oops = console_.log().oops();
  all.console_bytes = console_.log().size();
  all.channel_bytes = session_.bytes_received();
  all.cpu_seconds = domain_.cpu_seconds() - cpu_at_start_;
  return all;
}

}  // namespace bisect_run::lab
