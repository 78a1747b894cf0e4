#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace bisect_run::kernel {

/// Listens to the output of make: how far it is, and why it failed if it does.
class BuildLog {
 public:
  /// `tree` is cut from the front of file names, so that one fault reads the same everywhere.
  explicit BuildLog(std::string tree) : tree_(std::move(tree)) {}

  void line(std::string_view text);

  /// Lines like `  CC      net/core/dev.o` so far, and what the last one said.
  int steps() const { return steps_; }
  const std::string& last_step() const { return last_step_; }

  /// The line that explains a failure best; empty if nothing was said.
  std::string first_error() const;

  /// Why a failure is the machine's fault and not the tree's (full disk, killed compiler, missing
  /// program), with the way out; empty if nothing hints at it. Means nothing after a success.
  const std::string& host_trouble() const { return host_trouble_; }

  /// Whether a tool found a file that no tool writes: cut off or overwritten on the disk. Speaks
  /// against the tree only where nothing was there before this build.
  bool damaged() const { return damaged_; }

 private:
  std::string without_tree(std::string_view text) const;

  std::string tree_;
  int steps_ = 0;
  bool damaged_ = false;
  std::string last_step_, error_, make_error_, last_line_, host_trouble_;
};

}  // namespace bisect_run::kernel
