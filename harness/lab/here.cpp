#include "lab/here.h"

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "process/dialogue.h"
#include "wire/digest.h"

namespace bisect_run::lab {
namespace {

using Clock = std::chrono::steady_clock;

std::string read_all(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Result<process::Dialogue> start_agent(const std::filesystem::path& agent) {
  process::Spec spec;
  spec.argv = {agent.string(), "--here"};
  spec.environment = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                      "LC_ALL=C"};
  return process::Dialogue::start(std::move(spec));
}

/// What went wrong with the recorder, if it did.
std::string pass_on(Session& session, const Observer& observer) {
  while (const auto event = session.next_event()) {
    Status status;
    if (const auto* handshake = std::get_if<Handshake>(&*event)) {
      if (observer.handshake) status = observer.handshake(*handshake);
    } else if (observer.sample) {
      status = observer.sample(std::get<Sample>(*event));
    }
    if (!status) return status.error().message;
  }
  if (observer.progress) observer.progress("measure", session.fraction());
  return {};
}

/// Talks until one side ends it.
Ending talk(process::Dialogue& agent, Session& session, const Observer& observer,
            Clock::time_point start, std::stop_token stop) {
  const auto now = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  while (true) {
    const auto deadline = start + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(session.next_deadline()));
    agent.send(session.take_outgoing());
    const auto news = agent.wait(deadline, stop);
    if (stop.stop_requested()) return {BootOutcome::interrupted, "stopped"};
    if (!news.received.empty()) session.receive(news.received, now());
    session.pass_time(now());
    if (const auto fault = pass_on(session, observer); !fault.empty())
      return {BootOutcome::infra, fault};
    if (session.ending()) return *session.ending();
    if (news.closed)
      return {BootOutcome::infra, "the agent ended by itself: " + agent.complaints()};
  }
}

}  // namespace

Boot measure_here(const std::filesystem::path& agent, const Scenario& scenario,
                  const Deadlines& deadlines, const Observer& observer, std::stop_token stop) {
  Boot boot;
  boot.machine = {.cpus = static_cast<int>(std::thread::hardware_concurrency()),
                  .memory_mib = 0,
                  .accelerator = "none"};
  const auto start = Clock::now();
  auto dialogue = start_agent(agent);
  if (!dialogue) {
    boot.outcome = BootOutcome::infra;
    boot.reason = dialogue.error().message;
    return boot;
  }
  const Proof proof{.agent_digest = wire::digest_of(read_all(agent)),
                    .cpus = boot.machine.cpus,
                    .own_kernel = true};
  Session session(scenario, proof, deadlines);
  Observer keeping = observer;
  keeping.handshake = [&](const Handshake& handshake) {
    boot.handshake = handshake;
    return observer.handshake ? observer.handshake(handshake) : Status{};
  };
  const auto ending = talk(*dialogue, session, keeping, start, stop);
  boot.outcome = ending.outcome;
  boot.reason = ending.reason;
  boot.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return boot;
}

}  // namespace bisect_run::lab
