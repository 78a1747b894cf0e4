#include "demo/history.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "demo/recipe.h"
#include "demo/replay.h"
#include "demo/tarball.h"
#include "git/history_writer.h"
#include "git/repository.h"
#include "git/tree_import.h"
#include "git/tree_lock.h"
#include "model/try.h"
#include "wire/digest.h"

namespace bisect_run::demo {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t needed_bytes = std::uintmax_t{1} << 30;
constexpr double import_share = 0.95;  // of the whole time; the rest is the replay
constexpr const char* repository_name = "linux.git";
constexpr const char* finished_name = "finished";  // written last

Status check_tarball(const fs::path& tarball) {
  std::error_code fault;
  if (fs::exists(tarball, fault)) return {};
  return fail(ErrorKind::usage, fmt::format("the demo needs {}; install it with: apt-get install "
                                            "linux-source-6.1",
                                            tarball.string()));
}

/// Digest of the sources, by size and time, and of the recipe.
std::string key_of(const fs::path& tarball, const Recipe& recipe) {
  std::error_code ignored;
  const auto time = fs::last_write_time(tarball, ignored).time_since_epoch();
  return wire::Digest()
      .add(static_cast<std::int64_t>(fs::file_size(tarball, ignored)))
      .add(std::chrono::duration_cast<std::chrono::seconds>(time).count())
      .add(recipe.digest())
      .hex();
}

/// Makes the directory. One that holds something else is left alone.
Status claim(const fs::path& directory) {
  std::error_code fault;
  fs::create_directories(directory, fault);
  if (fault)
    return fail(ErrorKind::infra, fmt::format("{}: {}", directory.string(), fault.message()));
  for (const auto& entry : fs::directory_iterator(directory, fault)) {
    const fs::path name = entry.path().filename();
    if (name != repository_name && name != finished_name && name != "finished.new" &&
        name != "lock")
      return fail(ErrorKind::usage, fmt::format("{} holds {}, which is not the demo's; choose "
                                                "another directory",
                                                directory.string(), name.string()));
  }
  return {};
}

Status check_space(const fs::path& directory) {
  std::error_code fault;
  const auto space = fs::space(directory, fault);
  if (fault || space.available >= needed_bytes) return {};
  return fail(ErrorKind::infra,
              fmt::format("{} has {} MB left, the demo's history needs {} MB; free some, then try "
                          "again",
                          directory.string(), space.available >> 20, needed_bytes >> 20));
}

/// The finished history, if it is that of `key` and still there.
std::optional<History> finished(const fs::path& directory, const std::string& key) {
  std::ifstream in(directory / finished_name);
  std::string found;
  History history{directory / repository_name, {}, {}, {}};
  in >> found >> history.good.hex >> history.bad.hex >> history.planted.hex;
  if (!in || found != key) return std::nullopt;
  const auto repository = git::Repository::open(history.repository);
  if (!repository || !repository->range(history.good, history.bad) ||
      !repository->commit(history.planted))
    return std::nullopt;
  return history;
}

Status write_finished(const fs::path& directory, const std::string& key, const History& history) {
  const fs::path file = directory / finished_name;
  std::ofstream out(file.string() + ".new");
  out << key << '\n'
      << history.good.hex << '\n'
      << history.bad.hex << '\n'
      << history.planted.hex << '\n';
  out.close();
  std::error_code fault;
  if (out) fs::rename(file.string() + ".new", file, fault);
  if (!out || fault)
    return fail(ErrorKind::infra, fmt::format("{} cannot be written", file.string()));
  return {};
}

Status check_stop(const std::stop_token& stop) {
  if (!stop.stop_requested()) return {};
  return fail(ErrorKind::interrupted, "stopped while the demo's history was made");
}

Result<Oid> import_sources(const fs::path& repository, const fs::path& tarball,
                           const std::string& subject, const std::stop_token& stop,
                           const Progress& progress) {
  BR_TRY_ASSIGN(git::TreeImport import,
                git::TreeImport::start(repository, new_commit(0, subject + '\n')));
  double told = -1;
  const auto take = [&](const TarFile& file) -> Status {
    BR_TRY(check_stop(stop));
    if (file.fraction >= told + 0.01) {
      told = file.fraction;
      progress(told * import_share, "sources");
    }
    return import.add(file.path, file.mode, file.content);
  };
  BR_TRY(read_tarball(tarball, take));
  return import.finish();
}

Result<History> make_history(const fs::path& directory, const Recipe& recipe,
                             const fs::path& tarball, const std::stop_token& stop,
                             const Progress& progress) {
  const fs::path repository = directory / repository_name;
  BR_TRY_ASSIGN(git::HistoryWriter writer, git::HistoryWriter::create(repository));
  BR_TRY_ASSIGN(const Oid root,
                import_sources(repository, tarball, recipe.steps.front().subject, stop, progress));
  const auto steps = static_cast<double>(recipe.steps.size());
  const auto step_done = [&](std::size_t done) {
    progress(import_share + (1 - import_share) * static_cast<double>(done) / steps, "commits");
    return check_stop(stop);
  };
  BR_TRY_ASSIGN(Marks marks, replay(writer, recipe, root, step_done));
  if (!marks.contains("good") || !marks.contains("bad") || !marks.contains("planted"))
    return fail(ErrorKind::usage, "recipe.txt: the marks good, planted and bad are needed");
  BR_TRY(writer.set_reference("refs/tags/demo-good", marks["good"]));
  BR_TRY(writer.set_reference("refs/tags/demo-bad", marks["bad"]));
  return History{repository, marks["good"], marks["bad"], marks["planted"]};
}

}  // namespace

fs::path default_tarball() {
  return "/usr/src/linux-source-6.1.tar.xz";
}

Result<History> ensure_history(const fs::path& directory, const fs::path& recipe_directory,
                               std::stop_token stop, const Progress& progress,
                               const fs::path& tarball, Effect effect) {
  BR_TRY(check_tarball(tarball));
  BR_TRY_ASSIGN(const Recipe recipe, load_recipe(recipe_directory, effect));
  const std::string key = key_of(tarball, recipe);
  BR_TRY(claim(directory));
  BR_TRY_ASSIGN(const UniqueFd lock, git::lock_tree(directory / "lock"));
  if (auto history = finished(directory, key)) return std::move(*history);
  std::error_code fault;
  fs::remove(directory / finished_name, fault);
  fs::remove_all(directory / repository_name, fault);
  if (fault)
    return fail(ErrorKind::infra, fmt::format("{}: {}", directory.string(), fault.message()));
  BR_TRY(check_space(directory));
  BR_TRY_ASSIGN(History history, make_history(directory, recipe, tarball, stop, progress));
  BR_TRY(write_finished(directory, key, history));
  return history;
}

}  // namespace bisect_run::demo
