#include "cli/budget.h"

#include <algorithm>

#include "model/try.h"

namespace bisect_run::cli {

double worked_seconds(const std::vector<store::JournalLine>& journal, const History& history) {
  struct Moment {
    double at;
    bool begins;
  };
  std::vector<Moment> moments;
  for (const auto& line : journal) moments.push_back({line.at, line.stage == kSessionStage});
  for (const auto& record : history.boots) moments.push_back({record.ended_at, false});
  std::ranges::stable_sort(moments, {}, &Moment::at);
  double worked = 0, last = 0;
  for (const auto& moment : moments) {
    if (!moment.begins) worked += moment.at - last;
    last = moment.at;
  }
  return worked;
}

Result<std::optional<double>> begin_session(const store::Store& store, const std::string& run,
                                            double budget_s, engine::Prober& prober) {
  const auto& ports = prober.ports();
  BR_TRY_ASSIGN(const auto journal, store.journal(run));
  BR_TRY(ports.recorder.journal(kSessionStage, ""));
  if (!(budget_s > 0)) return std::nullopt;
  return ports.clock.now() + budget_s - worked_seconds(journal, prober.history());
}

}  // namespace bisect_run::cli
