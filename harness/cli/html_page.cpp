#include "cli/html_page.h"

#include "cli/gnuplot.h"
#include "cli/run_facts.h"
#include "model/try.h"
#include "report/bisect_report.h"
#include "report/compare_report.h"
#include "report/html.h"
#include "report/samples_csv.h"

namespace bisect_run::cli {
namespace {

/// Browsers save a data: link of at most 2 MiB; in base64 that is this much.
constexpr std::size_t kMostBytes = 1'500'000;

/// Every sample, or where they are too many one number a boot, metric and mark.
Status add_samples(const store::Store& store, const report::RunFacts& run, report::PageData& data) {
  data.samples_csv = report::samples_header();
  BR_TRY(store.history(run.id, [&](BootRecord& record) {
    if (data.samples_csv.size() <= kMostBytes)
      report::append_samples(data.samples_csv, run, record);
    record.samples = {};
  }));
  if (data.samples_csv.size() <= kMostBytes) return {};
  data.all_samples = false;
  data.samples_csv = report::samples_header();
  BR_TRY_ASSIGN(const auto history, reduced_history(store, run.id));
  for (const auto& record : history.boots)
    if (data.samples_csv.size() <= kMostBytes)
      report::append_samples(data.samples_csv, run, record);
  return {};
}

template <class Facts>
Result<std::string> made_of(const store::Store& store, const Facts& facts, std::string json) {
  report::PageData data{.json = std::move(json)};
  auto drawn = draw(report::plots_of(facts));
  if (drawn)
    data.plots = std::move(*drawn);
  else
    data.no_plots = drawn.error().message;
  BR_TRY(add_samples(store, facts.run, data));
  return report::html_text(facts, data);
}

}  // namespace

Result<std::string> html_page(const store::Store& store, const report::BisectFacts& facts) {
  return made_of(store, facts, report::bisect_json(facts));
}

Result<std::string> html_page(const store::Store& store, const report::ComparisonFacts& facts) {
  return made_of(store, facts, report::compare_json(facts));
}

}  // namespace bisect_run::cli
