#include "cli/kernel_options.h"

#include <CLI/CLI.hpp>

namespace bisect_run::cli {

void add_build_options(CLI::App& app, Arguments& a) {
  app.add_option("--patch", a.patches,
                 "a patch on top of every SPEC, after its own; may be given again, in their order")
      ->allow_extra_args(false)  // what follows is a SPEC
      ->type_name("FILE");
  app.add_option(
         "--config", a.config_file,
         "a .config of your own as the base, in place of what kernels.yaml wants; its musts "
         "and the variant go on top")
      ->type_name("FILE");
  app.add_option("--make-arg", a.make_args,
                 "a further variable for make, such as LLVM=1; may be given again")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  app.add_option("--compiler", a.cc,
                 "what compiles the kernels, such as gcc-11 [that of kernels.yaml]")
      ->type_name("CC");
}

void add_machine_options(CLI::App& app, Arguments& a) {
  app.add_option("--memory", a.memory, "memory of the machine, such as 1GiB")->type_name("SIZE");
  app.add_option("--accel", a.accel, "accelerator: kvm, tcg or auto, which tries kvm first")
      ->check(CLI::IsMember({"kvm", "tcg", "auto"}).description(""))
      ->type_name("NAME");
  app.add_option(
         "--clock", a.clock,
         "the guest's clock: real, or virtual, which counts instructions (tcg) and keeps the "
         "host's noise out; never compared with each other")
      ->check(CLI::IsMember({"real", "virtual"}).description(""))
      ->type_name("NAME");
}

}  // namespace bisect_run::cli
