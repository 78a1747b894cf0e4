#pragma once

#include <filesystem>
#include <string>

#include "support/temp_dir.h"

namespace bisect_run::test {

/// A source tree that answers to the make targets a kernel has, in a fraction of a second. Its
/// `vmlinux` is a real ELF file of one C file; `hook.sh`, if there is one, runs before it is made,
/// with make's O= as its first argument, and fails the build if it fails.
class FakeTree {
 public:
  FakeTree() {
    write_file(dir_ / "Makefile",
               R"make(
KCONFIG_CONFIG ?= $(O)/.config
allnoconfig:
	@echo >> $(O)/../configures
	@awk -f configure.awk $(KCONFIG_ALLCONFIG) Kconfig sub/Kconfig > $(KCONFIG_CONFIG)
alldefconfig:
	@awk -v defaults=1 -f configure.awk $(KCONFIG_ALLCONFIG) Kconfig sub/Kconfig > $(KCONFIG_CONFIG)
bzImage:
	@echo >> $(O)/../makes
	@echo '$(CC)|$(HOSTCC)|$(KCPPFLAGS)|$(KAFLAGS)|$(pound)' > $(O)/../said
	@echo "  CC      init/main.o"
	@if test -f hook.sh; then sh hook.sh $(O); fi
	$(CC) -O1 -fno-pic -fno-stack-protector -c init/main.c -o $(O)/main.o
	@echo "  LD      vmlinux"
	@ld --build-id=sha1 -e start -o $(O)/vmlinux $(O)/main.o
	@mkdir -p $(O)/arch/x86/boot $(O)/include/config
	@cp $(O)/vmlinux $(O)/arch/x86/boot/bzImage
	@echo 6.1.0-fake > $(O)/include/config/kernel.release
)make");
    // A symbol gets what the fragment asks for if what it depends on is on already; what the
    // fragment does not name has its default with alldefconfig, else it is off.
    write_file(dir_ / "configure.awk", R"awk(
FNR == 1 { file++ }
file == 1 && /^CONFIG_/ { split($0, part, "="); asked[part[1]] = part[2] }
file == 1 && /is not set/ { off[$2] = 1 }
file > 1 && /^config/ { finish(); name = "CONFIG_" $2; needs = ""; fallback = "" }
file > 1 && /depends on/ { needs = "CONFIG_" $3 }
file > 1 && /default/ { fallback = $2 }
END { finish() }
function finish() {
  if (name == "") return
  if (defaults && fallback != "" && !(name in asked) && !(name in off)) asked[name] = fallback
  if (name in asked && (needs == "" || needs in on)) { on[name] = 1; print name "=" asked[name] }
  else print "# " name " is not set"
}
)awk");
    write("Kconfig",
          "config SMP\n\tbool\nconfig RCU_NOCB_CPU\n\tbool\n\tdepends on SMP\n"
          "config PCI\n\tbool\n\tdepends on MISSING\nsource \"sub/Kconfig\"\n");
    write("sub/Kconfig", "config NR_CPUS\n\tint\n");
    code("0");
  }

  const std::filesystem::path& path() const { return dir_.path(); }
  void write(const std::string& name, const std::string& text) const {
    write_file(dir_ / name, text);
  }
  /// The program returns `value`; `comment` stands above and moves its line numbers.
  void code(const std::string& value, const std::string& comment = "") const {
    write("init/main.c",
          comment +
              "__attribute__((section(\"__bug_table\"), used)) int line = __LINE__;\n"
              "int start(void) { return " +
              value + "; }\n");
  }
  void hook(const std::string& script) const { write("hook.sh", script + "\n"); }
  void no_hook() const { std::filesystem::remove(dir_ / "hook.sh"); }

 private:
  TempDir dir_;
};

}  // namespace bisect_run::test
