#include "cli/gnuplot.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "model/try.h"
#include "process/run.h"

namespace bisect_run::cli {
namespace fs = std::filesystem;
namespace {

constexpr double kDeadline_s = 60;

/// A directory of our own, gone at the end.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "bisect-run-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Status run_gnuplot(const fs::path& directory) {
  process::Spec spec;
  spec.argv = {"gnuplot", "plots.gnuplot"};
  spec.directory = directory;
  spec.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8",
                      "HOME=" + directory.string()};
  spec.deadline_s = kDeadline_s;
  const auto outcome = process::run(spec, {});
  if (!outcome)
    return fail(ErrorKind::infra, "gnuplot is not there (package gnuplot-nox)",
                outcome.error().message);
  if (outcome->end != process::End::exited || outcome->code != 0)
    return fail(ErrorKind::infra, "gnuplot failed: " + outcome->tail);
  return {};
}

}  // namespace

Result<std::vector<report::DrawnPlot>> draw(const std::vector<report::Plot>& plots) {
  std::vector<report::DrawnPlot> drawn;
  if (plots.empty()) return drawn;
  const Scratch scratch;
  if (scratch.path().empty())
    return fail(ErrorKind::infra, "no directory for the plots could be made in " +
                                      fs::temp_directory_path().string());
  std::ofstream script(scratch.path() / "plots.gnuplot", std::ios::binary);
  for (std::size_t i = 0; i < plots.size(); ++i)
    script << report::script_for(plots[i], plots[i].wide, fmt::format("{}-wide.svg", i))
           << report::script_for(plots[i], plots[i].narrow, fmt::format("{}-narrow.svg", i));
  script.close();
  if (!script) return fail(ErrorKind::infra, "the plots could not be written down");
  BR_TRY(run_gnuplot(scratch.path()));
  for (std::size_t i = 0; i < plots.size(); ++i)
    drawn.push_back({plots[i].title, content_of(scratch.path() / fmt::format("{}-wide.svg", i)),
                     content_of(scratch.path() / fmt::format("{}-narrow.svg", i))});
  return drawn;
}

}  // namespace bisect_run::cli
