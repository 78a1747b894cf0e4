#include <algorithm>

#include "cli/adapters.h"
#include "model/try.h"

namespace bisect_run::cli {

RunClock::RunClock(double started_at_epoch_s, double recorded_s)
    : before_(recorded_s), start_(std::chrono::steady_clock::now()) {
  const std::chrono::duration<double> epoch = std::chrono::system_clock::now().time_since_epoch();
  before_ = std::max(recorded_s, epoch.count() - started_at_epoch_s);
}

double RunClock::now() const {
  return before_ +
         std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

RecordAdapter::RecordAdapter(store::Store& store, std::string run, const engine::Clock& clock)
    : store_(store), run_(std::move(run)), clock_(clock) {}

Status RecordAdapter::journal(std::string_view stage, std::string_view detail) {
  return store_.journal(run_, stage, detail, clock_.now());
}

Status RecordAdapter::built(const KernelSpec& spec, const Result<Image>& outcome) {
  return store_.built(run_, spec, outcome);
}

Result<engine::SampleSink*> RecordAdapter::boot_started(const engine::BootRequest& request) {
  BR_TRY_ASSIGN(boot_, store_.boot_started(run_, {.spec = request.spec,
                                                    .signature = request.image.signature,
                                                    .machine = request.machine,
                                                    .scenario_digest = request.scenario.digest}));
  return this;
}

Result<std::int64_t> RecordAdapter::boot_ended(const Boot& boot, double ended_at) {
  BR_TRY(store_.boot_ended(boot_, boot, ended_at));
  return boot_;
}

Status RecordAdapter::handshake(const Handshake& handshake) {
  return store_.handshake(boot_, handshake);
}

Status RecordAdapter::sample(const Sample& sample) { return store_.sample(boot_, sample); }

}  // namespace bisect_run::cli
