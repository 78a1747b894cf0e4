#include "kernel/signature.h"

#include <elf.h>

#include <cstdint>

#include <fmt/format.h>

#include "kernel/elf.h"
#include "model/try.h"
#include "wire/digest.h"

namespace bisect_run::kernel {
namespace {

bool counts(const ElfSection& section) {
  return section.allocated() && section.has_bytes() && section.name != ".notes" &&
         section.name != "__bug_table";
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

}  // namespace

Result<VmlinuxIdentity> identify(std::string_view vmlinux) {
  BR_TRY_ASSIGN(const auto sections, elf_sections(vmlinux));
  VmlinuxIdentity identity;
  wire::Digest digest;
  for (const auto& section : sections) {
    if (counts(section))
      digest.add(section.name).add(static_cast<std::int64_t>(section.address)).add(section.bytes);
    if (!identity.build_id.empty() || !section.is_note()) continue;
    if (const auto id = find_note(section.bytes, "GNU", NT_GNU_BUILD_ID))
      identity.build_id = hex(*id);
  }
  if (identity.build_id.empty())
    return fail(ErrorKind::infra,
                "vmlinux has no GNU build id, by which a running kernel is recognised; the linker "
                "must support --build-id");
  identity.signature = digest.hex();
  return identity;
}

}  // namespace bisect_run::kernel
