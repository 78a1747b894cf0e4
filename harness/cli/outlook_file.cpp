#include "cli/outlook_file.h"

#include <fstream>

namespace bisect_run::cli {
namespace {

std::filesystem::path file_in(const std::filesystem::path& run_directory) {
  return run_directory / "outlook";
}

}  // namespace

void write_outlook(const std::filesystem::path& run_directory, const ExpectedWork& work) {
  const auto file = file_in(run_directory), fresh = std::filesystem::path(file.string() + ".new");
  std::ofstream out(fresh);
  out << work.builds << ' ' << work.boots << '\n';
  out.close();
  std::error_code ignored;  // nobody but `show` misses it
  if (out) std::filesystem::rename(fresh, file, ignored);
}

std::optional<ExpectedWork> read_outlook(const std::filesystem::path& run_directory) {
  std::ifstream in(file_in(run_directory));
  ExpectedWork work;
  if (!(in >> work.builds >> work.boots)) return std::nullopt;
  return work;
}

std::optional<double> expected_seconds(const ExpectedWork& work, const History& history) {
  double build_s = 0, boot_s = 0;
  int builds = 0, boots = 0;
  for (const auto& build : history.builds)
    if (build.image && !build.image->cached) {
      build_s += build.image->build_seconds;
      ++builds;
    }
  for (const auto& record : history.boots)
    if (record.boot.outcome != BootOutcome::running) {
      boot_s += record.boot.wall_seconds;
      ++boots;
    }
  if (boots == 0) return std::nullopt;
  const double a_build = builds > 0 ? build_s / builds : 0;
  return work.builds * a_build + work.boots * boot_s / boots;
}

}  // namespace bisect_run::cli
