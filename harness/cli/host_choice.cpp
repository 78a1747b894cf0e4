#include "cli/host_choice.h"

#include "config/size.h"
#include "model/try.h"

namespace bisect_run::cli {

HostChoice host_choice(const Arguments& arguments, HostChoice choice) {
  if (arguments.isolate_builds) choice.isolate_builds = *arguments.isolate_builds;
  if (arguments.cache_size) choice.cache_size = *arguments.cache_size;
  if (arguments.connect) choice.connect = *arguments.connect;
  return choice;
}

Status apply(const HostChoice& choice, Recipe& recipe) {
  if (!choice.isolate_builds.empty()) {
    const auto isolate = parse_isolate(choice.isolate_builds);
    if (!isolate)
      return fail(ErrorKind::usage,
                  "--isolate-builds is auto, always or never, not " + choice.isolate_builds);
    recipe.isolate_builds = *isolate;
  }
  if (choice.cache_size.empty()) return {};
  const auto bytes = config::parse_size(choice.cache_size);
  if (!bytes) return std::unexpected(in_context(bytes.error(), "--cache-size"));
  recipe.cache_bytes = *bytes;
  return {};
}

}  // namespace bisect_run::cli
