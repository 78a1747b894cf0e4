#include "cli/host_options.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace bisect_run::cli {

void add_connect(CLI::App& app, Arguments& a, const char* left_out) {
  app.add_option("--connect", a.connect, fmt::format("libvirt URI [{}]", left_out))
      ->type_name("URI");
}

void add_housekeeping(CLI::App& app, Arguments& a, const char* left_out) {
  app.add_option("--cache-size", a.cache_size,
                 fmt::format("what the caches may take, such as 20GB [{}]; the least recently used "
                             "goes first",
                             left_out))
      ->type_name("SIZE");
  app.add_option("--isolate-builds", a.isolate_builds,
                 fmt::format("whether make, which runs what the tree says, gets a namespace "
                             "without network or a view of your files: auto, where bwrap can; "
                             "always; never [{}]",
                             left_out))
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""))
      ->type_name("WHEN");
}

}  // namespace bisect_run::cli
