#include "cli/places.h"

#include <unistd.h>

#include <cstdlib>

#include "model/try.h"
#include "wire/digest.h"

namespace bisect_run::cli {
namespace fs = std::filesystem;
namespace {

std::optional<fs::path> environment_path(const char* name) {
  const char* value = std::getenv(name);
  if (!value || !*value) return std::nullopt;
  return fs::path(value);
}

fs::path xdg(const char* variable, const char* below_home) {
  const auto base = environment_path(variable);
  if (base && base->is_absolute()) return *base / "bisect-run";
  return environment_path("HOME").value_or("/tmp") / below_home / "bisect-run";
}

fs::path own_program() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

bool is_home(const fs::path& directory) {
  return fs::exists(directory / "kernels.yaml") && fs::is_directory(directory / "scenarios");
}

Result<fs::path> find_home() {
  if (const auto given = environment_path("BISECT_RUN_HOME")) {
    if (is_home(*given)) return *given;
    return fail(ErrorKind::usage, "BISECT_RUN_HOME is " + given->string() +
                                      ", but there is no kernels.yaml and scenarios/ in it");
  }
  const auto program = own_program();
  const auto shared = program.parent_path().parent_path() / "share" / "bisect-run";
  if (is_home(shared)) return shared;
  for (auto up = program.parent_path(); up.has_relative_path(); up = up.parent_path())
    if (is_home(up)) return up;
  return fail(ErrorKind::usage,
              "kernels.yaml and scenarios/ are not found beside the program; set BISECT_RUN_HOME");
}

Result<fs::path> find_agent() {
  const auto program = own_program();
  const auto up = program.parent_path().parent_path();
  for (const auto& candidate :
       {up / "guest-agent" / "bisect-agent", up / "libexec" / "bisect-run" / "bisect-agent"})
    if (fs::exists(candidate)) return candidate;
  return fail(ErrorKind::usage, "the guest agent is not found near " + program.string() +
                                    "; build it with ./bisect-run or cmake --build");
}

}  // namespace

fs::path tree_directory(const fs::path& cache, const fs::path& repository) {
  return cache / "trees" / wire::digest_of(repository.string()).substr(0, 16);
}

Result<Places> find_places(const std::optional<std::string>& results, bool needs_agent) {
  Places places;
  BR_TRY_ASSIGN(places.home, find_home());
  if (needs_agent) {
    BR_TRY_ASSIGN(places.agent, find_agent());
  }
  // Builds see their directories by these names and no others: no symbolic link may be in them.
  std::error_code ignored;
  places.cache = fs::weakly_canonical(xdg("XDG_CACHE_HOME", ".cache"), ignored);
  if (results) {
    places.results = fs::absolute(*results);
  } else if (const auto tree = places.home / "results";
             fs::is_directory(tree) && access(tree.c_str(), W_OK) == 0) {
    places.results = tree;
  } else {
    places.results = xdg("XDG_STATE_HOME", ".local/state");
  }
  return places;
}

}  // namespace bisect_run::cli
