#pragma once

#include <string>
#include <string_view>

namespace bisect_run::agent {

/// The GNU build id, in hex, out of the bytes of /sys/kernel/notes (ELF notes in the machine's own
/// byte order); empty if there is none or the bytes are no notes.
std::string build_id_of(std::string_view notes);

}  // namespace bisect_run::agent
