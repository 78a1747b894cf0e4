#include "cli/on_end.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "cli/printing.h"
#include "model/try.h"
#include "process/run.h"

namespace bisect_run::cli {
namespace {

constexpr double kDeadline_s = 600;

Result<std::filesystem::path> written_answer(const store::Store& store, const store::RunRecord& run,
                                             const std::filesystem::path& directory) {
  BR_TRY_ASSIGN(const auto json, report_of(store, run, {.format = "json"}));
  std::error_code ignored;  // shows when the file is written
  std::filesystem::create_directories(directory, ignored);
  const auto file = directory / "answer.json";
  std::ofstream out(file, std::ios::binary);
  out << json;
  out.close();
  if (!out) return fail(ErrorKind::infra, file.string() + ": the answer cannot be written");
  return file;
}

std::string commits_of(const store::RunRecord& run) {
  std::string commits;
  if (run.answer)
    for (const auto& commit : run.answer->commits)
      commits += (commits.empty() ? "" : " ") + commit.oid.hex;
  return commits;
}

process::Spec spec_for(const std::string& command, const store::RunRecord& run,
                       const std::filesystem::path& answer, int exit_code) {
  process::Spec spec;
  // The outer sh only opens the file; the command is the argument of an sh of its own.
  spec.argv = {"/bin/sh", "-c",   "exec \"$@\" < \"$BISECT_RUN_JSON\"", "sh", "/bin/sh",
               "-c",      command};
  for (char** variable = environ; *variable != nullptr; ++variable)
    spec.environment.emplace_back(*variable);
  spec.environment.push_back("BISECT_RUN_JSON=" + answer.string());
  spec.environment.push_back("BISECT_RUN_ID=" + run.id);
  spec.environment.push_back(fmt::format("BISECT_RUN_STATUS={}", to_string(run.status)));
  spec.environment.push_back(fmt::format("BISECT_RUN_EXIT={}", exit_code));
  spec.environment.push_back("BISECT_RUN_COMMITS=" + commits_of(run));
  spec.deadline_s = kDeadline_s;
  return spec;
}

Status run_it(const std::string& command, const store::Store& store, const std::string& id,
              const std::filesystem::path& directory, int exit_code, Progress& progress) {
  BR_TRY_ASSIGN(const auto run, store.run(id));
  BR_TRY_ASSIGN(const auto answer, written_answer(store, run, directory));
  const auto spec = spec_for(command, run, answer, exit_code);
  progress.clear();
  BR_TRY_ASSIGN(const auto outcome, process::run(spec, {}, [](std::string_view line) {
                  fmt::print(stderr, "{}\n", line);
                }));
  if (outcome.end == process::End::exited && outcome.code == 0) return {};
  if (outcome.end == process::End::deadline)
    return fail(ErrorKind::infra, "it took longer than ten minutes and was ended");
  return fail(ErrorKind::infra, fmt::format("it ended with {}", outcome.code));
}

}  // namespace

void run_on_end(const std::string& command, const store::Store& store, const std::string& run,
                const std::filesystem::path& run_directory, int exit_code, Progress& progress) {
  if (command.empty()) return;
  const auto done = run_it(command, store, run, run_directory, exit_code, progress);
  if (!done) progress.note(fmt::format("the command of --on-end failed: {}", done.error().message));
}

}  // namespace bisect_run::cli
