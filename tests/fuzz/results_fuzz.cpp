// rooms: cli
// options: -max_len=512 -rss_limit_mb=512 -malloc_limit_mb=160
// The results file of a stranger: the right tables without any constraint, in which cells are
// changed to values of any type and size, JSON is changed within, rows are doubled and dropped,
// views and triggers are added, and bytes of the file are overwritten or cut off. Every reader and
// every report must refuse it with a reason or print what a terminal can bear.

#include <nlohmann/json.hpp>

#include "cli/printing.h"
#include "cli/run_facts.h"
#include "cli/run_list.h"
#include "fuzz/fuzz.h"
#include "fuzz/results_file.h"
#include "report/bisect_report.h"
#include "report/compare_report.h"
#include "report/html.h"
#include "report/plots.h"
#include "report/samples_csv.h"

namespace {

using namespace bisect_run;
using test::Bytes;
using test::require;

/// No byte that steers a terminal; U+0080 to U+009F steer some.
void require_harmless(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    require(c == '\n' || c == '\t' || (c >= 0x20 && c != 0x7f));
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    require(!(c == 0xc2 && next >= 0x80 && next < 0xa0));
  }
}

/// What `git bisect replay` would read: comments and its own commands, nothing else.
void require_bisect_log(std::string_view text) {
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    require(line.empty() || line.starts_with("#") || line.starts_with("git bisect "));
  }
}

void check(const std::string& format, const Result<std::string>& text) {
  if (!text) return require(!text.error().message.empty());
  if (format == "json") return require(nlohmann::json::accept(*text));
  require_harmless(*text);
  if (format == "bisect-log") require_bisect_log(*text);
}

constexpr const char* kFormats[] = {"text", "show", "json", "mail", "bisect-log"};
constexpr const char* kStyles[] = {"greear", "bligh", "tinoco", "dumazet", "mmtests"};

template <class Facts>
void check_page(const Facts& facts) {
  for (const auto& plot : report::plots_of(facts)) {
    const auto script = report::script_for(plot, plot.wide, "0.svg");
    require(script.find_first_of("`\"!") == script.npos && script.find("system") == script.npos);
  }
  const auto page = report::html_text(facts, {});
  require(page.find("<script") == page.npos && page.find("<iframe") == page.npos);
}

/// The page without its plots, which another program draws.
void check_pages(const store::Store& store, const store::RunRecord& run) {
  const cli::Depth depth{.kernels = true, .suspicion = true, .people = true, .steps = true};
  if (run.request.kind == RunKind::bisect) {
    if (const auto facts = cli::bisect_facts(store, run, depth)) check_page(*facts);
  } else if (const auto history = cli::reduced_history(store, run.id)) {
    check_page(cli::comparison_facts(run, *history, depth));
  }
}

void check_samples(const store::Store& store, const store::RunRecord& run) {
  std::string csv;
  report::RunFacts facts;
  facts.id = run.id;
  (void)store.history(run.id,
                      [&](BootRecord& record) { report::append_samples(csv, facts, record); });
  require(csv.find('\0') == csv.npos);
}

/// One of the many ways in which a run is printed.
void check_run(const store::Store& store, const store::RunRecord& run, std::size_t way) {
  if (way < std::size(kFormats)) {
    const std::string format = kFormats[way];
    return check(format, cli::report_of(store, run, {.format = format, .cc = true}));
  }
  way -= std::size(kFormats);
  if (way < std::size(kStyles)) {
    if (run.request.kind == RunKind::bisect) return;
    return check("text", cli::report_of(store, run, {.style = kStyles[way]}));
  }
  way -= std::size(kStyles);
  if (way == 0) return check_pages(store, run);
  if (way == 1) return check_samples(store, run);
  (void)store.journal(run.id);
}

constexpr std::size_t kWays = std::size(kFormats) + std::size(kStyles) + 3;

/// `way` of 0: all of them, which takes long.
void read(const std::filesystem::path& file, std::size_t way) {
  const auto store = store::Store::open_read_only(file, std::chrono::milliseconds(50));
  if (!store) return require(!store.error().message.empty());
  (void)store->last_run();
  const auto runs = store->runs();
  if (!runs) return require(!runs.error().message.empty());
  require_harmless(cli::run_lines(*runs));
  require(nlohmann::json::accept(cli::runs_json(*runs)));
  for (std::size_t i = 0; i < std::min<std::size_t>(runs->size(), 3); ++i)
    for (std::size_t each = 0; each < kWays; ++each)
      if (way == 0 || each == way % kWays) check_run(*store, (*runs)[i], each);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const test::ResultsFile made;
  Bytes bytes(data, size);
  const std::size_t way = size > 0 ? data[0] / 8 : 1;
  const auto file = made.changed(bytes);
  read(file, way);
  return 0;
}
