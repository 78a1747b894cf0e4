// rooms: wire
// sources: guest-agent/port.cpp guest-agent/sys.cpp
// options: -max_len=4096 -rss_limit_mb=128 -malloc_limit_mb=8
// What the agent reads from its port: lines in pieces, cut, endless, of any bytes. A message that
// is accepted says the same when it is sent again, and its steps can be checked.

#include <unistd.h>

#include <array>

#include "fuzz/fuzz.h"
#include "port.h"
#include "wire/messages.h"
#include "wire/operations.h"

namespace {

using namespace bisect_run;
using test::Bytes;
using test::require;

constexpr std::size_t kMost = 200'000;  // twice what a line may have, and more

void check_steps(std::vector<wire::Step> steps) {
  for (auto& step : steps) {
    const auto wrong = wire::complete(step);
    require(!wrong || !wrong->message.empty());
    if (wrong) continue;
    // Complete: every parameter of the table is there, and nothing else.
    const auto* row = wire::find_operation(step.op);
    require(row != nullptr && step.parameters.size() == row->parameters.size());
    require(!wire::complete(step));
  }
}

void check(const wire::HostMessage& message) {
  const auto again = wire::decode_host(wire::encode(message));
  require(again && again->index() == message.index());
  const auto* run = std::get_if<wire::RunWorkload>(&message);
  if (run == nullptr) return;
  const auto& same = std::get<wire::RunWorkload>(*again);
  require(same.id == run->id && same.mode == run->mode && same.workload == run->workload);
  check_steps(run->workload.setup);
  check_steps(run->workload.teardown);
  for (const auto& loop : run->workload.loops) check_steps(loop.each);
}

/// A line of the input, or a long one.
std::string some_bytes(Bytes& bytes) {
  const std::size_t kind = bytes.byte();
  if (kind >= 250) return std::string((kind - 249) * 20'000, bytes.byte() % 2 == 0 ? ' ' : '[');
  if (kind >= 240) return "\n";
  return bytes.text(1 + kind * 4);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::array<int, 2> in{}, out{};
  require(::pipe(in.data()) == 0 && ::pipe(out.data()) == 0);
  agent::Port port((agent::Fd(in[0])), agent::Fd(out[1]));
  const agent::Fd to_agent(in[1]), from_agent(out[0]);
  Bytes bytes(data, size);
  const bool lines = bytes.byte() % 2 == 0;  // as they are, or in pieces
  std::size_t all = 0;
  while (!bytes.empty() && all < kMost) {
    const auto sent = lines ? bytes.rest() + "\n" : some_bytes(bytes);
    all += sent.size();
    for (std::size_t at = 0; at < sent.size(); at += 4096) {
      const auto part = sent.substr(at, 4096);
      require(::write(to_agent.get(), part.data(), part.size()) ==
              static_cast<ssize_t>(part.size()));
      require(port.fill());
      while (const auto line = port.next_line()) {
        require(line->find('\n') == line->npos);
        if (const auto message = wire::decode_host(*line))
          check(*message);
        else
          require(!message.error().empty());
      }
    }
  }
  return 0;
}
