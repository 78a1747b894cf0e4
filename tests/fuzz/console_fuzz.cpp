// rooms: lab
// sources: guest-agent/notes.cpp guest-agent/offload.cpp
// options: -max_len=4096 -rss_limit_mb=128 -malloc_limit_mb=8
// A console that prints anything, read in pieces of any size: what is told of it must not depend
// on the pieces, must be printable and bounded, and must be weighed by the rule of who is at fault.
// The agent reads the same kernel's log and its notes, and the host the list of CPUs therein.

#include <algorithm>
#include <cctype>

#include "fuzz/fuzz.h"
#include "lab/console.h"
#include "lab/handshake.h"
#include "lab/outcome.h"
#include "notes.h"
#include "offload.h"

namespace {

using namespace bisect_run;
using test::Bytes;
using test::require;

constexpr std::size_t kMost = 1 << 14;

/// Literal text, and pieces many times over: lines without end, floods.
std::string some_output(Bytes& bytes) {
  std::string all;
  while (!bytes.empty() && all.size() < kMost) {
    const std::size_t kind = bytes.byte();
    if (kind < 200) {
      all += bytes.text(kind);
      continue;
    }
    const auto times = (kind - 199) * (kind - 199);
    const auto part = bytes.text(bytes.below(64));
    for (std::size_t i = 0; i < times && all.size() < kMost; ++i) all += part;
  }
  return all;
}

void require_printable(std::string_view text) {
  for (const char c : text) require((c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t');
}

lab::Evidence some_evidence(Bytes& bytes, const lab::ConsoleLog& log) {
  lab::Evidence it;
  const auto flags = bytes.byte();
  it.stopped = (flags & 1) != 0;
  if ((flags & 2) != 0) it.recorder_error = "disk full";
  if ((flags & 4) != 0)
    it.session = lab::Ending{static_cast<BootOutcome>(1 + bytes.below(8)), "said so"};
  it.domain = static_cast<vm::DomainEnd>(bytes.below(5));
  it.channel_closed = (flags & 8) != 0;
  it.held = (flags & 16) != 0;
  it.flooded = log.flooded();
  it.panic = log.panic();
  it.oops = log.oops();
  it.console_bytes = log.size();
  it.cpu_seconds = (flags & 32) != 0 ? 0 : 1;
  return it;
}

/// Faults of the host never speak against a kernel, and nothing is left undecided.
void check_ending(const lab::Evidence& it) {
  const auto ending = lab::classify(it);
  require(ending.outcome != BootOutcome::running);
  const bool complete = it.session && it.session->outcome == BootOutcome::complete;
  if (it.stopped) return require(ending.outcome == BootOutcome::interrupted);
  if (!it.recorder_error.empty()) return require(ending.outcome == BootOutcome::infra);
  if (complete) return require(ending.outcome == BootOutcome::complete);
  const bool host = it.domain == vm::DomainEnd::failed || it.domain == vm::DomainEnd::destroyed ||
                    (it.domain == vm::DomainEnd::running &&
                     (it.held || (it.console_bytes == 0 && it.cpu_seconds == 0)));
  if (host) return require(ending.outcome == BootOutcome::infra);
  if (!it.panic.empty()) require(ending.outcome == BootOutcome::panic);
  require_printable(ending.reason);
}

/// What the agent takes out of the log, and the host out of that.
void check_offload(std::string_view log) {
  const auto list = agent::offloaded_cpus(log);
  require(list.find('\n') == list.npos);
  for (const int cpus : {1, 4, 4096})
    if (const auto numbers = lab::parse_cpu_list(list, cpus))
      for (const int number : *numbers) require(number >= 0 && number < cpus);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const std::size_t piece = 1 + bytes.byte() * 7;
  Bytes choices = bytes;
  (void)bytes.bits(3);
  const auto output = some_output(bytes);
  lab::ConsoleLog whole, pieces;
  whole.append(output);
  for (std::size_t at = 0; at < output.size(); at += piece)
    pieces.append(std::string_view(output).substr(at, piece));
  require(whole.size() == output.size() && pieces.size() == output.size());
  require(whole.tail() == pieces.tail());
  require(whole.panic() == pieces.panic() && whole.oops() == pieces.oops());
  require(whole.tail().size() <= lab::ConsoleLog::kTail);
  require(whole.panic().size() <= 1024 && whole.oops().size() <= 1024);
  for (const auto& text : {whole.tail(), whole.panic(), whole.oops()}) require_printable(text);
  require(whole.panic().empty() == (output.find("Kernel panic - not syncing") == output.npos) ||
          output.size() > 1024);
  check_ending(some_evidence(choices, whole));
  check_offload(output);
  require(agent::build_id_of(output).size() <= 2 * output.size());
  return 0;
}
