#include "engine/unread.h"

#include <fmt/format.h>

#include "bisect/set_back.h"
#include "model/try.h"

namespace bisect_run::engine {

/// Takes in what new kernels have read; true if there were any.
bool Unread::learn(const History& history) {
  bool grown = false;
  for (const BuildRecord& build : history.builds) {
    if (!build.image || !index_.find(build.spec)) continue;
    if (!builds_.insert(build.image->build_key).second) continue;
    grown = true;
    const auto files = builder_.files_read(*build.image);
    known_ = known_ && files;
    if (files) read_.insert(files->begin(), files->end());
  }
  return grown;
}

Result<bisect::NodeSet> Unread::now(const History& history) {
  if (!source_ || !learn(history)) return nodes_;
  bool good = false, bad = false;
  for (const BuildRecord& build : history.builds) {
    const auto node = index_.find(build.spec);
    if (!build.image || !node) continue;
    good = good || *node == range_.good();
    bad = bad || *node == range_.bad();
  }
  if (!good || !bad) return nodes_;
  if (!known_) return nodes_ = bisect::NodeSet();
  const bool first = !touched_;
  if (first) {
    BR_TRY_ASSIGN(touched_, source_->touched_paths(range_));
  }
  nodes_ = bisect::set_back(*touched_, read_);
  if (first && observer_ && !nodes_.empty())
    observer_->note(fmt::format(
        "{} of {} commits touch no file that the two ends were built from: they are set back, not "
        "left out",
        nodes_.count(), range_.candidates()));
  return nodes_;
}

}  // namespace bisect_run::engine
