#include "engine/prober.h"

#include <fmt/format.h>

#include "engine/disturbance.h"
#include "model/spec_key.h"
#include "model/try.h"

namespace bisect_run::engine {
namespace {

/// Passes samples to the recorder and keeps them for the engine.
class KeepingSink : public SampleSink {
 public:
  KeepingSink(SampleSink& next, std::vector<Sample>& samples) : next_(next), samples_(samples) {}
  Status handshake(const Handshake& handshake) override { return next_.handshake(handshake); }
  Status sample(const Sample& sample) override {
    BR_TRY(next_.sample(sample));
    samples_.push_back(sample);
    return {};
  }

 private:
  SampleSink& next_;
  std::vector<Sample>& samples_;
};

}  // namespace

Prober::Prober(Ports ports, History history, std::stop_token stop)
    : ports_(ports), history_(std::move(history)), stop_(std::move(stop)) {}

const BuildRecord* Prober::known(const std::string& key) const {
  for (const auto& build : history_.builds)
    if (spec_key(build.spec) == key) return &build;
  return nullptr;
}

Result<Image> Prober::build_with_retries(const KernelSpec& spec) {
  for (int attempt = 1;; ++attempt) {
    if (stop_.stop_requested()) return fail(ErrorKind::interrupted, "stopped before a build");
    auto outcome = ports_.builder.build(spec);
    const bool host_fault = !outcome && outcome.error().kind == ErrorKind::infra;
    if (!host_fault || attempt == kInfraTries) return outcome;
    ports_.observer.note(fmt::format("the host failed a build ({}); trying again, {} of {}",
                                     outcome.error().message, attempt + 1, kInfraTries));
  }
}

Result<const Image*> Prober::image(const KernelSpec& spec) {
  const auto key = spec_key(spec);
  const auto* record = known(key);
  if (record && record->error) return nullptr;
  if (const auto found = ready_.find(key); found != ready_.end()) return &found->second;

  BR_TRY(ports_.recorder.journal("build", key));
  auto outcome = build_with_retries(spec);
  if (!outcome && outcome.error().kind != ErrorKind::skip_build)
    return std::unexpected(std::move(outcome).error());
  BR_TRY(keep(spec, std::move(outcome)));
  const auto made = ready_.find(key);
  return made == ready_.end() ? nullptr : &made->second;
}

/// Records a build, once, and keeps its image at hand.
Status Prober::keep(const KernelSpec& spec, Result<Image> outcome) {
  const auto key = spec_key(spec);
  if (!known(key)) {
    BR_TRY(ports_.recorder.built(spec, outcome));
    history_.builds.push_back({.spec = spec,
                               .image = outcome ? std::optional(*outcome) : std::nullopt,
                               .error = outcome ? std::nullopt : std::optional(outcome.error()),
                               .boots_before = history_.boots.size()});
  }
  ports_.observer.built(spec, outcome);
  if (outcome) ready_[key] = std::move(*outcome);
  return {};
}

Status Prober::build_together(std::span<const KernelSpec> specs) {
  std::vector<KernelSpec> wanted;
  for (const auto& spec : specs)
    if (!known(spec_key(spec))) wanted.push_back(spec);
  for (const auto& spec : wanted) BR_TRY(ports_.recorder.journal("build", spec_key(spec)));
  if (stop_.stop_requested()) return fail(ErrorKind::interrupted, "stopped before a build");
  auto outcomes = ports_.builder.build_together(wanted);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (outcomes[i] || outcomes[i].error().kind == ErrorKind::skip_build) continue;
    if (outcomes[i].error().kind == ErrorKind::infra) outcomes[i] = build_with_retries(wanted[i]);
    if (!outcomes[i] && outcomes[i].error().kind != ErrorKind::skip_build)
      return std::unexpected(std::move(outcomes[i]).error());
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) BR_TRY(keep(wanted[i], std::move(outcomes[i])));
  return {};
}

Result<BootRecord> Prober::boot_once(const BootRequest& request) {
  BootRecord record{.spec = request.spec,
                    .signature = request.image.signature,
                    .scenario_digest = request.scenario.digest};
  BR_TRY_ASSIGN(auto* sink, ports_.recorder.boot_started(request));
  KeepingSink keeping(*sink, record.samples);
  record.boot = ports_.lab.boot(request, keeping);
  if (record.boot.outcome == BootOutcome::complete) {
    if (auto why = disturbance(history_.boots, record.boot.host)) {
      record.boot.outcome = BootOutcome::disturbed;
      record.boot.reason = std::move(*why);
    }
  }
  record.ended_at = ports_.clock.now();
  BR_TRY_ASSIGN(record.id, ports_.recorder.boot_ended(record.boot, record.ended_at));
  history_.boots.push_back(record);
  return record;
}

Result<BootRecord> Prober::boot(const KernelSpec& spec, const Machine& machine,
                                const Scenario& scenario) {
  BR_TRY_ASSIGN(const Image* image, this->image(spec));
  if (!image)
    return fail(ErrorKind::bug, "asked to boot a kernel that does not build: " + spec_key(spec));
  BR_TRY(ports_.recorder.journal("boot", spec_key(spec)));
  const BootRequest request{spec, *image, machine, scenario};
  for (int faults = 0, disturbed = 0;;) {
    if (stop_.stop_requested()) return fail(ErrorKind::interrupted, "stopped before a boot");
    BR_TRY_ASSIGN(auto record, boot_once(request));
    switch (record.boot.outcome) {
      case BootOutcome::interrupted:
        return fail(ErrorKind::interrupted, "stopped during a boot");
      case BootOutcome::infra:
        if (++faults == kInfraTries)
          return fail(ErrorKind::infra, "booting a VM failed: " + record.boot.reason,
                      record.boot.console_tail);
        ports_.observer.note(fmt::format("the host failed a boot ({}); trying again, {} of {}",
                                         record.boot.reason, faults + 1, kInfraTries));
        break;
      case BootOutcome::disturbed:
        if (++disturbed > kDisturbedTries)
          return fail(ErrorKind::infra,
                      "this host cannot be measured on now: " + record.boot.reason);
        ports_.observer.note(
            fmt::format("a boot is repeated, not believed: {}", record.boot.reason));
        break;
      default:
        return record;
    }
  }
}

}  // namespace bisect_run::engine
