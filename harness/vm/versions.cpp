#include "vm/versions.h"

#include <fmt/format.h>
#include <libvirt/libvirt.h>

#include "vm/event_loop.h"

namespace bisect_run::vm {

std::string libvirt_version() {
  if (!start_event_loop()) return {};  // it also keeps libvirt from printing
  unsigned long version = 0;  // major * 1,000,000 + minor * 1,000 + release
  if (virGetVersion(&version, nullptr, nullptr) != 0) return {};
  return fmt::format("{}.{}.{}", version / 1000000, version / 1000 % 1000, version % 1000);
}

}  // namespace bisect_run::vm
