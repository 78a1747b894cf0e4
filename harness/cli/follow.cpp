#include "cli/follow.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>

#include "cli/journal_words.h"
#include "model/try.h"
#include "report/numbers.h"

namespace bisect_run::cli {
namespace {

constexpr std::chrono::milliseconds kInterval{1000};

/// False when a stop was asked for meanwhile.
bool wait(std::stop_token stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any changed;
  changed.wait_for(lock, stop, kInterval, [] { return false; });
  return !stop.stop_requested();
}

class Follower {
 public:
  Follower(const store::Store& store, std::string run) : store_(store), run_(std::move(run)) {}

  /// Prints what is new.
  Status look() {
    BR_TRY_ASSIGN(const auto journal, store_.journal(run_));
    for (; lines_ < journal.size(); ++lines_)
      say(journal[lines_].at,
          fmt::format("{} {}", journal[lines_].stage, short_detail(journal[lines_].detail)));
    BR_TRY_ASSIGN(const auto probes, store_.probes(run_));
    for (const auto& probe : probes) {
      const auto state = fmt::format("{} after {} boot{}{}", to_string(probe.outcome), probe.boots,
                                     probe.boots == 1 ? "" : "s",
                                     probe.value ? ", " + report::value_text(*probe.value) : "");
      if (auto& known = states_[probe.oid.hex]; known != state) {
        known = state;
        say(journal.empty() ? 0 : journal.back().at,
            fmt::format("{} {}: {}", probe.oid.abbreviated(), report::cut(probe.subject, 40),
                        state));
      }
    }
    std::fflush(stdout);
    return {};
  }

  /// What happened before is in the report already.
  Status skip() {
    silent_ = true;
    BR_TRY(look());
    silent_ = false;
    return {};
  }

 private:
  void say(double at_s, const std::string& what) const {
    constexpr std::size_t kIndent = 14;
    if (!silent_)
      fmt::print("{:>12}  {}\n", report::duration_text(at_s), report::wrapped(what, kIndent));
  }

  const store::Store& store_;
  std::string run_;
  std::size_t lines_ = 0;
  std::map<std::string, std::string> states_;
  bool silent_ = false;
};

}  // namespace

Status follow_run(const store::Store& store, const std::string& run, const Context& context) {
  Follower follower(store, run);
  BR_TRY(follower.skip());
  while (true) {
    BR_TRY_ASSIGN(const auto record, store.run(run));
    BR_TRY(follower.look());
    if (!record.live) return {};
    if (!wait(context.stop))
      return fail(ErrorKind::interrupted, "stopped following; the run goes on");
  }
}

}  // namespace bisect_run::cli
