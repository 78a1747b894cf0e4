#include "cli/last_run.h"

#include "model/try.h"

namespace bisect_run::cli {

std::optional<std::string> last_repository(const Places& places) {
  if (!std::filesystem::exists(places.database())) return std::nullopt;
  const auto store = store::Store::open_read_only(places.database());
  if (!store) return std::nullopt;
  const auto run = store->last_run();
  return run ? std::optional(run->request.repository) : std::nullopt;
}

Result<store::RunRecord> find_run(const store::Store& store, const std::string& wanted) {
  return wanted.empty() ? store.last_run() : store.run(wanted);
}

Result<store::Store> open_results(const Places& places) {
  if (!std::filesystem::exists(places.database()))
    return fail(ErrorKind::usage, "there are no results yet in " + places.results.string() +
                                      "; --results DIR names another place");
  return store::Store::open_read_only(places.database());
}

}  // namespace bisect_run::cli
