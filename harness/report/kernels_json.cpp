#include "report/kernels_json.h"

namespace bisect_run::report {
namespace {

Json remedies_json(const BuiltKernel& kernel) {
  Json remedies = Json::array();
  for (const auto& remedy : kernel.remedies)
    remedies.push_back({{"name", remedy.name}, {"did", remedy.did}});
  return remedies;
}

Json not_kept_json(const BuiltKernel& kernel) {
  Json lines = Json::array();
  for (const auto& line : kernel.ledger)
    if (line.fate != LedgerFate::kept)
      lines.push_back({{"symbol", line.symbol},
                       {"asked", line.asked},
                       {"got", text(line.got)},
                       {"fate", to_string(line.fate)}});
  return lines;
}

}  // namespace

Json kernels_json(const RunFacts& run) {
  Json kernels = Json::array();
  for (const auto& kernel : run.kernels)
    kernels.push_back({{"name", kernel.name},
                       {"oid", kernel.commit.hex},
                       {"variant", kernel.variant},
                       {"release", text(kernel.release)},
                       {"compiler", text(kernel.compiler)},
                       {"hz", text(kernel.hz)},
                       {"preemption", text(kernel.preemption)},
                       {"offloaded", kernel.offloaded ? Json(*kernel.offloaded) : Json(nullptr)},
                       {"remedies", remedies_json(kernel)},
                       {"not_kept", not_kept_json(kernel)},
                       {"failure", text(kernel.failure)}});
  return kernels;
}

}  // namespace bisect_run::report
