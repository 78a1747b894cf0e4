#include "cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "report/numbers.h"

namespace bisect_run::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kLiveInterval{200}, kPlainInterval{30000};

/// Asked anew for each line, so that a resized terminal is drawn right.
std::size_t terminal_columns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

/// Words for a terminal that may be gone: a failed write is nobody's business, least of all that of
/// a run which is about to end in order because of it. So not fmt::print, which throws.
void put(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

/// The kernel with its variant, which tells kernels of one commit apart.
std::string label(const KernelSpec& spec) {
  const auto suffix = "@" + spec.variant;
  return spec.variant.empty() || spec.text.ends_with(suffix) ? spec.text : spec.text + suffix;
}

}  // namespace

std::string drawn(std::string_view line) {
  return fmt::format("\r\033[?7l{}\033[J\033[?7h\r", line);
}

std::string bar(double fraction, int width) {
  const double clamped = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0;
  const auto filled = static_cast<std::size_t>(std::lround(clamped * width));
  return "[" + std::string(filled, '#') +
         std::string(static_cast<std::size_t>(width) - filled, '.') + "]";
}

std::string duration(double seconds) {
  if (seconds < 99.5) return fmt::format("{:.0f} s", std::max(0.0, seconds));
  const auto minutes = std::lround(seconds / 60);
  if (minutes < 100) return fmt::format("{} min", minutes);
  return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

Progress::Style Progress::style_for(bool quiet) {
  if (quiet) return Style::quiet;
  return isatty(STDERR_FILENO) ? Style::live : Style::plain;
}

Progress::Progress(Style style, std::string unit) : style_(style), unit_(std::move(unit)) {}

Progress::~Progress() {
  clear();
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  wipe();
}

/// The cursor stands where the line begins, see drawn(). First the line alone: tmux keeps what is
/// cleared together with the whole screen.
void Progress::wipe() {
  if (is_drawn_) put("\033[2K\033[J");
  is_drawn_ = false;
}

void Progress::say(std::string_view line) {
  if (style_ == Style::quiet) return;
  clear();
  const std::lock_guard lock(mutex_);
  last_drawn_ = steady_clock::now();
  put(fmt::format("{}\n", line));
}

void Progress::note(std::string_view text) {
  say(fmt::format("note: {}", text));
}

void Progress::probing(const KernelSpec& spec, std::string_view why) {
  const std::lock_guard lock(mutex_);
  current_ = why.empty() ? label(spec) : fmt::format("{} ({})", label(spec), why);
}

void Progress::learn(double& mean, int& count, double seconds) {
  ++count;
  mean += (seconds - mean) / count;
}

void Progress::built(const KernelSpec& spec, const Result<Image>& outcome) {
  if (!outcome) {
    say(fmt::format("{}: not built: {}", label(spec), outcome.error().message));
    return;
  }
  if (outcome->cached) {
    say(fmt::format("{}: built before", label(spec)));
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    learn(build_s_, builds_seen_, outcome->build_seconds);
  }
  say(fmt::format("{}: built in {}", label(spec), duration(outcome->build_seconds)));
}

void Progress::booted(const KernelSpec& spec, const Boot& boot, std::optional<double> value) {
  {
    const std::lock_guard lock(mutex_);
    learn(boot_s_, boots_seen_, boot.wall_seconds);
  }
  const auto end = expected_end();
  if (boot.outcome != BootOutcome::complete)
    say(fmt::format("{}: {}: {}", label(spec), to_string(boot.outcome), boot.reason));
  else if (value)
    say(fmt::format("{}: {:.1f} {}{}", label(spec), *value, unit_, end));
  else
    say(fmt::format("{}: measured in {}{}", label(spec), duration(boot.wall_seconds), end));
}

void Progress::outlook(double builds, double boots) {
  {
    const std::lock_guard lock(mutex_);
    builds_left_ = builds;
    boots_left_ = boots;
  }
  if (tell_) tell_(builds, boots);
}

void Progress::assessed(const std::vector<Probe>& probes) {
  if (keep_) keep_(probes);
}

std::string Progress::expected_end() const {
  const double left = builds_left_ * build_s_ + boots_left_ * boot_s_;
  if (boots_seen_ == 0 || left <= 0) return {};
  return fmt::format(" (about {} left)", duration(left));
}

/// Elsewhere than on a terminal a long phase says twice a minute that it is alive.
void Progress::plain_phase(std::string_view what, double fraction) {
  const std::lock_guard lock(mutex_);
  const auto now = steady_clock::now();
  if (last_drawn_ == steady_clock::time_point{}) last_drawn_ = now;
  if (now - last_drawn_ < kPlainInterval) return;
  last_drawn_ = now;
  put(fmt::format("{}: {} ({:.0f} %)\n", current_, what, 100 * fraction));
}

void Progress::phase(std::string_view what, double fraction) {
  if (style_ == Style::plain) plain_phase(what, fraction);
  if (style_ != Style::live) return;
  const std::lock_guard lock(mutex_);
  const auto now = steady_clock::now();
  if (now - last_drawn_ < kLiveInterval) return;
  last_drawn_ = now;
  auto line = fmt::format("{} {} {}{}", bar(fraction, 20), what, current_, expected_end());
  line = report::cut(line, std::max<std::size_t>(terminal_columns(), 2) - 1);
  put(drawn(line));
  is_drawn_ = true;
}

}  // namespace bisect_run::cli
