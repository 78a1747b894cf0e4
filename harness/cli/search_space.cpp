#include "cli/search_space.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/progress.h"
#include "model/try.h"

namespace bisect_run::cli {

Result<SearchSpace> search_space(const git::Repository& repository, const RunRequest& request) {
  SearchSpace space;
  BR_TRY_ASSIGN(
      space.range,
      repository.range(request.kernels.at(0).commit, request.kernels.at(1).commit,
                       {.more_good = request.more_good, .first_parent = request.first_parent}));
  if (request.paths.empty()) return space;
  BR_TRY_ASSIGN(const auto touched, repository.touching(space.range, request.paths));
  space.behind.resize(touched.size());
  for (std::size_t node = space.range.boundary; node < touched.size(); ++node)
    space.behind[node] = !touched[node];
  return space;
}

std::vector<std::string> search_limits(const RunRequest& request) {
  std::vector<std::string> limits;
  const auto say = [&](bool asked, std::string clause) {
    if (asked) limits.push_back(std::move(clause));
  };
  say(request.find_fix, "for the commit that made it better");
  say(request.budget_s > 0, "budget " + duration(request.budget_s));
  say(request.confidence > 0, fmt::format("confidence {:g} %", 100 * request.confidence));
  say(request.min_effect > 0, fmt::format("smallest effect {:g} %", 100 * request.min_effect));
  say(!request.imported.empty(), "ends and skips of " + request.imported);
  std::vector<std::string> good;
  for (const auto& oid : request.more_good) good.push_back(oid.abbreviated());
  say(!good.empty(), fmt::format("also good {}", fmt::join(good, " ")));
  say(!request.paths.empty(), fmt::format("paths {}", fmt::join(request.paths, " ")));
  say(request.first_parent, "first parents only");
  return limits;
}

}  // namespace bisect_run::cli
