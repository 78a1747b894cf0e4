#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "vm/domain.h"

namespace bisect_run::vm {

/// Where on the VM host the parts of a domain lie.
struct DomainPlaces {
  std::string emulator, machine;
  std::filesystem::path kernel, initrd, console;
};

/// The libvirt description of a domain. The same for embedded, system and remote drivers.
std::string domain_xml(const DomainSpec& spec, const DomainPlaces& places);

/// Text made fit for an XML attribute or element; bytes XML cannot carry become '?'.
std::string xml_escaped(std::string_view text);

/// The text of the first `<element>` of `xml`, unescaped no further; empty without one.
std::string xml_element(std::string_view xml, std::string_view element);

}  // namespace bisect_run::vm
