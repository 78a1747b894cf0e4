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

/// How an attempt ended, beside its error.
struct End {
  bool orderly = true;       ///< make came to an end by itself
  bool make_failed = false;  ///< it was make that failed, not what we ask of its result
};

Status configure_and_make(const MakeCall& call, ObjectDir& objects, const Compiler& compiler,
                          const TreeFacts& facts, const Plan& plan, std::stop_token stop,
                          const std::function<void(double, std::string_view)>& progress, End& end) {
  if (progress) progress(0, "configure");
  end.make_failed = true;
  BR_TRY(configure(call, objects, compiler, plan.configure_target, fragment_text(plan.config),
                   facts.configure_digest, stop, end.orderly));
  end.make_failed = false;
  BR_TRY_ASSIGN(const auto config, read_below(objects.out(), ".config"));
  BR_TRY(check_musts(settle(plan.config, config,
                            [&](std::string_view symbol) { return facts.declares(symbol); })));
  const int expected = objects.most_steps(kUsualSteps);
  int steps = 0;
  end.make_failed = true;
  BR_TRY(make(
      call, objects, compiler, "bzImage", {}, stop,
      [&](const BuildLog& log) {
        steps = log.steps();
        if (progress) progress(std::min(0.99, 1.0 * steps / expected), log.last_step());
      },
      end.orderly));
  objects.note_steps(steps);
  return {};
}

/// The failure without the name of the log, which differs from kernel to kernel.
std::string essence(const Error& error) {
  return error.message.substr(0, error.message.rfind(" (log: "));
}

/// Objects of other trees can make a good one fail: a file that was C and is assembly now, a header
/// that went. So no failure is believed that was not seen to come from nothing as well.
bool may_be_leftovers(const ObjectDir& objects, const End& end, const Error& error) {
  return end.make_failed && end.orderly && error.kind == ErrorKind::skip_build &&
         !objects.from_nothing() && !objects.fails_from_nothing(essence(error));
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
  while (true) {
    BR_TRY(objects.begin());
    End end;
    const auto made = configure_and_make(call, objects, compiler, facts, plan, stop, progress, end);
    if (made) break;
    if (may_be_leftovers(objects, end, made.error())) {
      if (progress) progress(0, "failed; once more, from nothing");
      continue;  // without a word of an orderly end, so that all is removed
    }
    const bool proven = end.make_failed && objects.from_nothing();
    if (end.orderly && proven) BR_TRY(objects.note_fails_from_nothing(essence(made.error())));
    if (end.orderly) BR_TRY(objects.end());
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
