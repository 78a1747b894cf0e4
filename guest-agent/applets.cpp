#include "applets.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "sys.h"

namespace bisect_run::agent {
namespace {

int sysctl(int argc, char** argv) {
  const std::string_view setting = argc == 3 ? argv[2] : "";
  const std::size_t equals = setting.find('=');
  if (argc != 3 || std::string_view(argv[1]) != "-w" || equals == std::string_view::npos) {
    std::fputs("sysctl: only `-w KEY=VALUE` is known here\n", stderr);
    return 1;
  }
  std::string path = "/proc/sys/" + std::string(setting.substr(0, equals));
  std::replace(path.begin() + 10, path.end(), '.', '/');
  const Outcome written = write_file(path.c_str(), setting.substr(equals + 1));
  if (!written) std::fprintf(stderr, "sysctl: %s\n", written.error().reason.c_str());
  return written ? 0 : 1;
}

}  // namespace

std::optional<int> run_applet(std::string_view name, int argc, char** argv) {
  if (name == "true") return 0;
  if (name == "sysctl") return sysctl(argc, argv);
  return std::nullopt;
}

}  // namespace bisect_run::agent
