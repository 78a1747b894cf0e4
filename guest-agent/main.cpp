#include <cstdio>
#include <string_view>

#include <unistd.h>

#include "applets.h"
#include "here.h"
#include "init.h"

int main(int argc, char** argv) {
  using namespace bisect_run::agent;
  std::string_view name = argc > 0 ? argv[0] : "";
  name.remove_prefix(name.rfind('/') + 1);  // npos + 1 is 0
  if (const auto status = run_applet(name, argc, argv)) return *status;
  if (::getpid() == 1) run_as_init();
  if (argc == 2 && std::string_view(argv[1]) == "--here") return run_here();
  std::fputs("bisect-agent: PID 1 of a guest, or `bisect-agent --here` on this machine\n", stderr);
  return 2;
}
