#include "kernel/job.h"

#include <algorithm>
#include <chrono>

#include "kernel/configure.h"
#include "kernel/fragment.h"
#include "kernel/ledger.h"
#include "kernel/signature.h"
#include "kernel/stranger_file.h"
#include "model/try.h"
#include "wire/digest.h"

namespace bisect_run::kernel {
namespace {

/// Steps of a small kernel from nothing, as a first guess for the bar.
constexpr int kUsualSteps = 1150;

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

Status configure_and_make(const MakeCall& call, ObjectDir& objects, const Compiler& compiler,
                          const TreeFacts& facts, const Plan& plan, std::stop_token stop,
                          const std::function<void(double, std::string_view)>& progress,
                          bool& orderly) {
  if (progress) progress(0, "configure");
  BR_TRY(configure(call, objects, compiler, plan.configure_target, fragment_text(plan.config),
                   facts.configure_digest, stop, orderly));
  BR_TRY_ASSIGN(const auto config, read_below(objects.out(), ".config"));
  BR_TRY(check_musts(settle(plan.config, config,
                            [&](std::string_view symbol) { return facts.declares(symbol); })));
  const int expected = objects.most_steps(kUsualSteps);
  int steps = 0;
  BR_TRY(make(
      call, objects, compiler, "bzImage", {}, stop,
      [&](const BuildLog& log) {
        steps = log.steps();
        if (progress) progress(std::min(0.99, 1.0 * steps / expected), log.last_step());
      },
      orderly));
  objects.note_steps(steps);
  return {};
}

Result<StoredImage> harvest(const ObjectDir& objects, const Compiler& compiler) {
  StoredImage image;
  {
    BR_TRY_ASSIGN(const auto vmlinux, read_below(objects.out(), "vmlinux"));
    BR_TRY_ASSIGN(const auto identity, identify(vmlinux));
    image.signature = identity.signature;
    image.build_id = identity.build_id;
  }
  constexpr const char* kBzImage = "arch/x86/boot/bzImage";
  image.bzimage = objects.out() / kBzImage;
  BR_TRY(read_below(objects.out(), kBzImage));  // what is stored next is a file of this build
  image.config = objects.out() / ".config";
  BR_TRY_ASSIGN(const auto config, read_below(objects.out(), ".config"));
  image.config_digest = wire::digest_of(config);
  BR_TRY_ASSIGN(const auto release, read_below(objects.out(), "include/config/kernel.release"));
  image.release = first_line(release);
  image.compiler = compiler.version;
  return image;
}

}  // namespace

Result<StoredImage> run_job(const MakeCall& call, ObjectDir& objects, const Compiler& compiler,
                            const TreeFacts& facts, const Plan& plan, std::stop_token stop,
                            const std::function<void(double, std::string_view)>& progress) {
  const auto start = std::chrono::steady_clock::now();
  BR_TRY(objects.begin());
  bool orderly = true;
  const auto made =
      configure_and_make(call, objects, compiler, facts, plan, stop, progress, orderly);
  if (!made) {
    if (orderly) BR_TRY(objects.end());
    return std::unexpected(made.error());
  }
  // Where a build has left what no build of a kernel leaves, nothing is built upon it.
  BR_TRY_ASSIGN(auto image, harvest(objects, compiler));
  BR_TRY(objects.end());
  image.build_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return image;
}

}  // namespace bisect_run::kernel
