// rooms: kernel
// sources: guest-agent/notes.cpp
// options: -max_len=4096 -rss_limit_mb=128 -malloc_limit_mb=8
// A vmlinux that a hostile tree has built: sections lie within the file, and its signature is told
// or refused. The agent reads notes of the same form out of /sys.

#include "fuzz/fuzz.h"
#include "kernel/elf.h"
#include "kernel/signature.h"
#include "notes.h"

namespace {

using namespace bisect_run;
using test::require;

void require_within(std::string_view part, std::string_view whole) {
  if (part.empty()) return;
  require(part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  if (const auto sections = kernel::elf_sections(file))
    for (const auto& section : *sections) {
      require_within(section.name, file);
      require_within(section.bytes, file);
    }
  (void)kernel::identify(file);
  if (const auto note = kernel::find_note(file, "GNU", 3)) require_within(*note, file);
  require(agent::build_id_of(file).size() <= 2 * size);
  return 0;
}
