#pragma once

#include <string_view>

#include "cli/progress.h"
#include "engine/ports.h"
#include "faults/world.h"

// Builds and boots that take as long as a person needs to see them, with a line that lives.

namespace bisect_run::test {

/// A quarter of a second, as a phase of `what`.
inline void pass(cli::Progress& progress, std::string_view what) {
  constexpr int kParts = 25;
  for (int part = 0; part <= kParts; ++part) {
    progress.phase(what, static_cast<double>(part) / kParts);
    pause_ms(10);
  }
}

class WatchedBuilder : public engine::Builder {
 public:
  WatchedBuilder(engine::Builder& inner, cli::Progress& progress)
      : inner_(inner), progress_(progress) {}
  Result<Image> build(const KernelSpec& spec) override {
    pass(progress_, "building bzImage with all of its 1234 objects:");
    return inner_.build(spec);
  }

 private:
  engine::Builder& inner_;
  cli::Progress& progress_;
};

class WatchedLab : public engine::Lab {
 public:
  WatchedLab(engine::Lab& inner, cli::Progress& progress) : inner_(inner), progress_(progress) {}
  Boot boot(const engine::BootRequest& request, engine::SampleSink& sink) override {
    pass(progress_, "measuring the first of many marks of a long scenario:");
    return inner_.boot(request, sink);
  }

 private:
  engine::Lab& inner_;
  cli::Progress& progress_;
};

}  // namespace bisect_run::test
