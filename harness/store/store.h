#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/boot.h"
#include "model/error.h"
#include "model/history.h"
#include "model/run.h"
#include "model/verdict.h"
#include "store/records.h"

namespace bisect_run::store {

/// The results database: facts are appended, verdicts can be recomputed and replaced.
///
/// What a call has acknowledged survives the death of this process at any moment. Everything but
/// single samples and handshakes also survives the loss of power; those do from boot_ended on,
/// and a boot without its end never votes.
///
/// Errors everywhere: usage for a file that is not ours, newer, or a run that does not exist;
/// infra for a full or failing disk, a damaged file, or a lock that is not given up. One thread at
/// a time may use a Store; any number of processes may have the file open, and one waits for
/// another for `patience` before it gives up.
class Store {
 public:
  /// Opens for writing; makes the file and its directory where they are missing, and brings an
  /// older file up to date. A file that is not ours, or newer, is left as it is.
  static Result<Store> open(const std::filesystem::path& file,
                            std::chrono::milliseconds patience = std::chrono::seconds(10));
  /// Opens for reading, also beside a controller at work and on a read-only file system.
  static Result<Store> open_read_only(
      const std::filesystem::path& file,
      std::chrono::milliseconds patience = std::chrono::seconds(10));

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  // ---- runs ----

  /// Makes a run, claims it for this Store, and returns its id.
  Result<std::string> begin_run(const RunRequest& request, const Provenance& provenance);
  /// Takes a run up again: until the Store is gone nobody else can. Its boots that never ended
  /// are marked interrupted. Errors: usage if another controller is at work on it.
  Status claim(const std::string& run);
  /// By its id or a prefix that only one id has.
  Result<RunRecord> run(std::string_view id_or_prefix) const;
  /// The run that began last. Errors: usage if there is none.
  Result<RunRecord> last_run() const;
  /// The last run of a kind; with `unfinished`, only one that `resume` can take up.
  Result<RunRecord> last_run(RunKind kind, bool unfinished = false) const;
  /// All of them, oldest first.
  Result<std::vector<RunRecord>> runs() const;

  // ---- a run's outcome; the run must be claimed ----

  /// Replaces what was asked for, where a resumed run is given more than it had.
  Status amend_request(const std::string& run, const RunRequest& request);
  /// Every status but `running` also notes the end.
  Status set_status(const std::string& run, RunStatus status, std::string_view message = {});
  Status save_answer(const std::string& run, const Answer& answer);
  /// Replaces the run's probes; they are views of its samples.
  Status save_probes(const std::string& run, std::span<const Probe> probes);
  Result<std::vector<Probe>> probes(const std::string& run) const;

  // ---- a run's facts; the run must be claimed to add some ----

  /// `at` is on the run's clock.
  Status journal(const std::string& run, std::string_view stage, std::string_view detail,
                 double at);
  Result<std::vector<JournalLine>> journal(const std::string& run) const;
  Status built(const std::string& run, const KernelSpec& spec, const Result<Image>& outcome);
  /// Returns the boot's id.
  Result<std::int64_t> boot_started(const std::string& run, const BootStart& start);
  Status handshake(std::int64_t boot, const Handshake& handshake);
  /// Errors: skip_guest when the boot has sent this very sample before.
  Status sample(std::int64_t boot, const Sample& sample);
  /// `ended_at` is on the run's clock.
  Status boot_ended(std::int64_t boot, const Boot& result, double ended_at);
  /// Everything recorded so far, in the order of time; samples in the order of metric, mark,
  /// repetition and chunk. Boots that never ended come as `running`.
  Result<History> history(const std::string& run) const;
  /// The same, but each boot is handed out as soon as its samples are read, in the order of time,
  /// to be made smaller: what is left of it goes into the history. So a million samples need the
  /// memory of one boot.
  Result<History> history(const std::string& run,
                          const std::function<void(BootRecord&)>& each_boot) const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace bisect_run::store
