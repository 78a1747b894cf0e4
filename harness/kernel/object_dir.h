#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "model/error.h"
#include "model/unique_fd.h"

namespace bisect_run::kernel {

/// A build directory that stays over commits, so that make stays incremental. While this object
/// lives, nobody else builds in it.
class ObjectDir {
 public:
  /// Makes the directory if needed and waits for its lock, at most `patience_s`; `on_wait` is
  /// called once if it has to wait. Error: infra (still locked, no access), interrupted.
  static Result<ObjectDir> lock(std::filesystem::path directory, double patience_s,
                                std::stop_token stop, const std::function<void()>& on_wait);

  std::filesystem::path out() const { return directory_ / "out"; }          ///< make's O=
  std::filesystem::path scratch() const { return directory_ / "scratch"; }  ///< make's TMPDIR
  std::filesystem::path fragment() const { return directory_ / "fragment"; }
  /// Given on to make: whoever comes after a crash of ours waits for its last child.
  int lock_fd() const { return lock_.get(); }

  /// Says that make is at work from now on. If it was when the last owner vanished, what it wrote
  /// may be half of a file that looks new: everything is removed first.
  Status begin();
  /// Whether there was nothing in `out` when this build began.
  bool from_nothing() const { return from_nothing_; }
  /// Says that make has come to an orderly end, good or bad.
  Status end();

  /// Whether a build from nothing ended like this here, as noted: then leftovers were not at fault.
  bool fails_from_nothing(const std::string& failure) const;
  Status note_fails_from_nothing(const std::string& failure) const;

  /// Whether out/.config is the answer to `question`, as noted by `note_configured`.
  bool configured_for(const std::string& question) const;
  Status note_configured(const std::string& question) const;

  /// Number of steps of the longest build here; `otherwise` before the first.
  int most_steps(int otherwise) const;
  void note_steps(int steps) const;

 private:
  ObjectDir(std::filesystem::path directory, UniqueFd lock)
      : directory_(std::move(directory)), lock_(std::move(lock)) {}

  std::filesystem::path directory_;
  UniqueFd lock_;
  bool from_nothing_ = false;
};

}  // namespace bisect_run::kernel
