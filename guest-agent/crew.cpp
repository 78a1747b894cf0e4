#include "crew.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace bisect_run::agent {

Crew::Crew(std::int64_t threads)
    : size_(threads > 0 ? threads : std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN))) {}

Outcome Crew::run(const std::function<Outcome(std::int64_t)>& work) {
  if (size_ == 1) return work(0);
  enum { kWait, kGo, kCancel };
  std::atomic<int> order = kWait;
  std::vector<Outcome> outcomes(static_cast<std::size_t>(size_));
  std::vector<std::jthread> threads;
  Outcome started;
  try {
    for (std::int64_t i = 0; i < size_; ++i)
      threads.emplace_back([&, i] {
        order.wait(kWait);
        if (order == kGo) outcomes[static_cast<std::size_t>(i)] = work(i);
      });
  } catch (const std::system_error& error) {
    started = os_fault("starting a thread", error.code().value());
  }
  order = started ? kGo : kCancel;
  order.notify_all();
  threads.clear();  // joins
  AGENT_TRY(started);
  for (const Outcome& outcome : outcomes) AGENT_TRY(outcome);
  return {};
}

}  // namespace bisect_run::agent
