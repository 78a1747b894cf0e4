#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/events.h"

namespace bisect_run::cli {

/// Shows a run to the person: on a terminal one live line a phase with a bar and the expected end,
/// elsewhere one plain line an event, nothing at all when quiet. Writes to stderr, so that what a
/// command answers on stdout stays clean.
class Progress : public engine::Observer {
 public:
  enum class Style { live, plain, quiet };
  /// Live on a terminal, plain elsewhere.
  static Style style_for(bool quiet);

  Progress(Style style, std::string unit);
  ~Progress() override;

  void probing(const KernelSpec& spec, std::string_view why) override;
  void built(const KernelSpec& spec, const Result<Image>& outcome) override;
  void booted(const KernelSpec& spec, const Boot& boot, std::optional<double> value) override;
  void outlook(double builds, double boots) override;
  void assessed(const std::vector<Probe>& probes) override;
  void note(std::string_view text) override;

  /// How far the phase that is going on has come, 0..1; called from any thread.
  void phase(std::string_view what, double fraction);
  /// A line that stays.
  void say(std::string_view line);
  /// Called with every assessment, for those who keep them.
  void on_assessed(std::function<void(const std::vector<Probe>&)> keep) { keep_ = std::move(keep); }
  /// Called with what is left, whenever that was worked out anew.
  void on_outlook(std::function<void(double builds, double boots)> tell) {
    tell_ = std::move(tell);
  }
  /// Wipes the live line, so that others can print.
  void clear();

 private:
  void wipe();
  void plain_phase(std::string_view what, double fraction);
  std::string expected_end() const;
  void learn(double& mean, int& count, double seconds);

  std::function<void(const std::vector<Probe>&)> keep_;
  std::function<void(double builds, double boots)> tell_;
  Style style_;
  std::string unit_;
  std::mutex mutex_;
  std::string current_;    ///< name of the kernel that is worked on
  bool is_drawn_ = false;  ///< a live line stands there
  std::chrono::steady_clock::time_point last_drawn_{};
  double builds_left_ = 0, boots_left_ = 0;
  double build_s_ = 0, boot_s_ = 0;  ///< mean costs learnt so far
  int builds_seen_ = 0, boots_seen_ = 0;
};

/// What draws a live line in the place of the one before, and leaves the cursor where it begins: a
/// terminal that breaks lines anew when it becomes narrower takes the cursor along, so that all
/// below it can be wiped, however wide it is by then. A terminal that is narrower already than it
/// says (tmux tells late) cuts the line off.
std::string drawn(std::string_view line);
/// `[#####.....]` of the given width.
std::string bar(double fraction, int width);
/// `45 s`, `12 min`, `3 h 05 min`.
std::string duration(double seconds);

}  // namespace bisect_run::cli
