#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bisect/strategy.h"
#include "model/boot.h"
#include "model/error.h"
#include "model/kernel.h"
#include "model/verdict.h"

namespace bisect_run::engine {

/// Watches a run. The engine prints nothing itself.
class Observer {
 public:
  virtual ~Observer() = default;
  /// A probe begins: which kernel, which commit, and why it is worth its price.
  virtual void probing(const KernelSpec& spec, std::string_view why) = 0;
  virtual void built(const KernelSpec& spec, const Result<Image>& outcome) = 0;
  /// `value` is the boot's number for the deciding metric, where there is one.
  virtual void booted(const KernelSpec& spec, const Boot& boot, std::optional<double> value) = 0;
  virtual void outlook(double builds, double boots) = 0;
  /// What is thought of every commit tried so far; told again after each action.
  virtual void assessed(const std::vector<Probe>& probes) = 0;
  /// Anything else a person should know: a retry, a probe set aside.
  virtual void note(std::string_view text) = 0;
};

}  // namespace bisect_run::engine
