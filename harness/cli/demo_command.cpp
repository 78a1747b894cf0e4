#include <fmt/format.h>

#include "cli/context.h"
#include "cli/progress.h"
#include "demo/history.h"
#include "model/try.h"

namespace bisect_run::cli {

Result<int> demo_command(const Arguments& arguments, const Context& context) {
  Arguments job = arguments;
  {
    Progress progress(Progress::style_for(arguments.quiet), "");
    BR_TRY_ASSIGN(
        const auto history,
        demo::ensure_history(
            context.places.cache / (arguments.small ? "demo-small" : "demo"),
            context.places.demo_recipe(), context.stop,
            [&](double fraction, std::string_view what) {
              progress.phase(fmt::format("demo history: {}", what), fraction);
            },
            demo::default_tarball(), arguments.small ? demo::Effect::small : demo::Effect::large));
    job.repo = history.repository.string();
  }
  job.kernels = {"demo-good", "demo-bad"};
  job.metric = "add+exec";
  job.marks = {50, 100};
  if (arguments.small) {
    // Without KVM a boot on a common host varies by more than this change.
    job.clock = "virtual";
    job.cpus = {1};
  }
  return bisect_command(job, context);
}

}  // namespace bisect_run::cli
