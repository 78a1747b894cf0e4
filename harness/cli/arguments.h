#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/error.h"

namespace bisect_run::cli {

enum class CommandKind {
  bisect,
  compare,
  scenario,
  plan,
  report,
  runs,
  show,
  resume,
  calibrate,
  demo,
  doctor
};

/// What was typed, checked for form but not yet against the world.
struct Arguments {
  CommandKind command = CommandKind::bisect;
  std::vector<std::string> kernels;  ///< GOOD BAD, or SPECs
  std::string command_meant;         ///< to be said should GOOD be unknown; mostly empty
  std::string scenario;              ///< empty: the default one
  std::string run;                   ///< of report, show, resume; empty: the last one
  std::string format = "text";
  bool people = false;               ///< of report --format mail: whom the commit names
  bool follow = false;               ///< of show
  std::string kernel, since, until;  ///< of runs: filters

  std::optional<std::string> repo, results, kernels_file, mode, metric;
  std::vector<std::int64_t> marks;
  std::vector<std::string> variants;   ///< values of all axes, not combined yet
  std::vector<std::string> patches;    ///< on top of every SPEC
  std::vector<std::string> make_args;  ///< NAME=value
  std::optional<std::string> config_file, cc, memory, accel, clock;
  std::vector<int> cpus;
  std::optional<int> boots;
  std::vector<std::string> scenarios;          ///< of compare: several, measured in turn
  std::optional<std::string> list_file, tags;  ///< of compare: kernels beside those typed
  std::optional<int> most_boots;               ///< of compare: where fewer leave a cell undecided
  bool fail_on_regression = false;             ///< of compare: then a slower cell is exit code 1
  std::string on_end;                          ///< a command run when the run has ended
  std::optional<std::string> cache_size;       ///< as typed: 20GB
  std::optional<std::string> isolate_builds;   ///< auto, always or never
  std::optional<std::string> connect;          ///< libvirt URI
  std::string strategy = "posterior";
  std::optional<double> budget_s, confidence, min_effect;
  std::vector<std::string> more_good;  ///< revisions
  std::vector<std::string> paths;
  std::optional<std::string> import;  ///< a bisect log to take ends and skips from
  int prebuild = 1;
  bool small = false;  ///< demo: the planted change costs a tenth
  bool first_parent = false;
  bool find_fix = false;
  std::string out;                          ///< calibrate: the file to write
  std::optional<std::string> judge;         ///< scenario: the file of a calibration
  bool here = false;                        ///< scenario: this machine's own kernel, no VM
  std::string style = "table";              ///< of compare and scenario
  std::optional<std::string> against;       ///< published numbers to print below
  bool manual = false, completion = false;  ///< print that and end
  bool quiet = false;
  bool json = false;
};

/// The text for `--help` and `--version` comes as `text`, with nothing to run.
struct Parsed {
  std::optional<Arguments> arguments;
  std::string text;
};

/// Errors: usage, with the nearest right spelling where there is one.
Result<Parsed> parse(int argc, const char* const* argv);

/// Of compare, where no number of boots is asked for.
inline constexpr int kFirstBoots = 3, kMostBoots = 12;

/// Defaults of design.md section 1, in one place: they are printed at the start of every run.
inline constexpr const char* kDefaultScenario = "netns-scaling";
inline constexpr const char* kDefaultVariant = "none";
inline constexpr const char* kDefaultConnect = "qemu:///embed";
inline constexpr const char* kOldTreesVariant = "off";  ///< where RCU_NOCB_CPU does not exist

}  // namespace bisect_run::cli
