#include "cli/adapters.h"

namespace bisect_run::cli {

LabAdapter::LabAdapter(lab::Lab& lab, const Recipe& recipe, Progress& progress,
                       std::stop_token stop)
    : lab_(lab), recipe_(recipe), progress_(progress), stop_(std::move(stop)) {}

Boot LabAdapter::boot(const engine::BootRequest& request, engine::SampleSink& sink) {
  const lab::Observer observer{
      .handshake = [&](const Handshake& handshake) { return sink.handshake(handshake); },
      .sample = [&](const Sample& sample) { return sink.sample(sample); },
      .progress = [this](std::string_view phase,
                         double fraction) { progress_.phase(phase, fraction); }};
  return lab_.boot(request.image, request.machine, request.scenario, recipe_.boot_args, observer,
                   stop_);
}

}  // namespace bisect_run::cli
