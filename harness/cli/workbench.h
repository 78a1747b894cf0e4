#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/adapters.h"
#include "cli/inputs.h"
#include "engine/prober.h"
#include "store/store.h"

namespace bisect_run::cli {

inline constexpr std::uint64_t kNeededBytes = std::uint64_t{4} << 30;  ///< object tree, images

/// Everything that a run needs to build, boot and record, opened once and held together.
class Workbench {
 public:
  struct Setup {
    Inputs& inputs;
    const Places& places;
    store::Store& store;
    std::string run;        ///< its id
    double started_at = 0;  ///< seconds since the epoch
    std::filesystem::path run_directory;
    Progress& progress;
    std::stop_token stop;
  };

  /// Opens work tree, workshop and lab. Errors: infra or usage, with the way out.
  static Result<std::unique_ptr<Workbench>> open(Setup setup, History history);

  engine::Prober& prober() { return *prober_; }

  /// The machine of the request with its accelerator settled: as earlier boots of this run had it,
  /// else what the request says; `auto` is proven by a boot of `kernel`.
  Result<Machine> settle(Machine machine, const KernelSpec& kernel);

 private:
  explicit Workbench(Setup setup);
  Status open_trees();

  Setup setup_;
  std::vector<git::WorkTree> trees_;  ///< one for each kernel that is built at a time
  std::unique_ptr<kernel::Workshop> workshop_;
  std::unique_ptr<lab::Lab> lab_;
  std::unique_ptr<BuildAdapter> builder_;
  std::unique_ptr<SourceAdapter> source_;
  std::unique_ptr<LabAdapter> lab_adapter_;
  std::unique_ptr<RunClock> clock_;
  std::unique_ptr<RecordAdapter> recorder_;
  std::unique_ptr<engine::Prober> prober_;
};

}  // namespace bisect_run::cli
