#include "cli/budget.h"

#include <algorithm>

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

}  // namespace bisect_run::cli
