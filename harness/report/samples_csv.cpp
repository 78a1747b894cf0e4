#include "report/samples_csv.h"

#include <fmt/format.h>

#include <iterator>

#include "report/columns.h"

namespace bisect_run::report {
namespace {

std::string csv_text(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? "\"\"" : std::string(1, c);
  return cell + "\"";
}

template <class Number>
std::string cell(const std::optional<Number>& number) {
  return number ? fmt::format("{}", *number) : std::string{};
}

std::string scenario_of(const RunFacts& run, const BootRecord& record) {
  for (const auto& more : run.more_scenarios)
    if (more.digest == record.scenario_digest) return more.name;
  return run.scenario;
}

std::optional<double> rate_of(const Sample& sample) {
  if (sample.value) return sample.value;
  if (sample.items <= 0 || sample.wall_ns <= 0) return std::nullopt;
  return static_cast<double>(sample.items) * 1e9 / static_cast<double>(sample.wall_ns);
}

}  // namespace

std::string samples_header() {
  return "run,scenario,kernel,commit,variant,cpus,memory_mib,accelerator,clock,boot,ended_s,"
         "outcome,metric,mark,repetition,chunk,items,wall_ns,user_ns,system_ns,"
         "voluntary_switches,tsc_cycles,value,unit\n";
}

void append_samples(std::string& csv, const RunFacts& run, const BootRecord& record) {
  const auto& machine = record.boot.machine;
  const auto of_boot = fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{:.3f},{}", run.id, csv_text(scenario_of(run, record)),
      csv_text(typed_name(record.spec)), record.spec.commit.hex, csv_text(record.spec.variant),
      machine.cpus, machine.memory_mib, machine.accelerator, machine.clock, record.id,
      record.ended_at, to_string(record.boot.outcome));
  for (const auto& sample : record.samples)
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{},{},{},{},{},{}\n", of_boot,
                   csv_text(sample.metric), sample.mark, sample.repetition, sample.chunk,
                   sample.items, sample.wall_ns, cell(sample.user_ns), cell(sample.system_ns),
                   cell(sample.voluntary_switches), cell(sample.tsc_cycles), cell(rate_of(sample)),
                   csv_text(sample.unit));
}

}  // namespace bisect_run::report
