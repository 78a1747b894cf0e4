#include <fmt/format.h>

#include "report/columns.h"
#include "report/html_parts.h"

namespace bisect_run::report {
namespace {

std::string offload_words(const BuiltKernel& kernel) {
  if (!kernel.offloaded) return {};
  return kernel.offloaded->empty() ? "none, by the guest's own log"
                                   : *kernel.offloaded + ", by the guest's own log";
}

/// Each with what it did.
std::string remedies_words(const BuiltKernel& kernel) {
  std::string words;
  for (const auto& remedy : kernel.remedies)
    words += fmt::format("{}{}{}", words.empty() ? "" : "; ", remedy.name,
                         remedy.did.empty() ? "" : ": " + remedy.did);
  return words;
}

std::string ledger_html(const BuiltKernel& kernel) {
  HtmlTable table({"symbol", "asked for", "became", "how", "needed"});
  for (const auto& line : kernel.ledger)
    table.row({line.symbol, line.asked, line.got, std::string(to_string(line.fate)),
               line.must ? "yes" : ""},
              line.fate == LedgerFate::kept ? "" : "bad");
  return table.empty() ? std::string{} : table.html();
}

std::string kernel_html(const BuiltKernel& kernel) {
  return element("h3", fmt::format("{}@{}", kernel.name, kernel.variant)) +
         pairs({{"commit", kernel.commit.hex},
                {"release", kernel.release},
                {"compiler", kernel.compiler},
                {"HZ", kernel.hz},
                {"preemption", kernel.preemption},
                {"offloaded CPUs", offload_words(kernel)},
                {"remedies", remedies_words(kernel)},
                {"not built", kernel.failure}}) +
         folded(fmt::format("ledger: {} symbols asked for", kernel.ledger.size()),
                ledger_html(kernel));
}

std::string differences_html(const RunFacts& run) {
  if (!run.differences) return {};
  const auto between = fmt::format("{} and {}", run.differ_first, run.differ_second);
  if (run.differences->empty())
    return paragraph("The configurations of " + between + " are the same.");
  HtmlTable table({"what", run.differ_first, run.differ_second});
  for (const auto& each : *run.differences) table.row({each.symbol, each.first, each.second});
  return folded(
      fmt::format("the configurations of {} differ in {} points", between, run.differences->size()),
      table.html());
}

std::string failures_html(const RunFacts& run) {
  std::string html;
  for (const auto& boot : run.failures)
    html += element("h3", fmt::format("{}@{}: {}", kernel_name(boot.spec), boot.spec.variant,
                                      to_string(boot.outcome))) +
            paragraph(boot.reason) +
            (boot.console_tail.empty() ? "" : preformatted(boot.console_tail));
  return folded(
      run.failures.size() == 1
          ? std::string("a boot that did not end well, with its console")
          : fmt::format("{} boots that did not end well, with their consoles", run.failures.size()),
      html);
}

}  // namespace

std::string provenance(const RunFacts& run) {
  std::string kernels;
  for (const auto& kernel : run.kernels) kernels += kernel_html(kernel);
  std::string versions = pairs({{"begun", run.started},
                                {"harness", run.version},
                                {"agent", run.agent_digest},
                                {"scenario", run.scenario_digest},
                                {"host", fmt::format("{} x {}", run.host_cpus, run.host_cpu)},
                                {"host kernel", run.host_kernel},
                                {"QEMU", run.qemu},
                                {"libvirt", run.libvirt},
                                {"compiler", run.compiler},
                                {"remedies", run.remedies},
                                {"clock", run.clocks}});
  if (!run.scenario_text.empty())
    versions += folded("the scenario, as it was", preformatted(run.scenario_text));
  return heading("Provenance") + failures_html(run) +
         folded("kernels: what was asked for and what became of it",
                kernels + differences_html(run)) +
         folded("versions and digests", versions);
}

}  // namespace bisect_run::report
