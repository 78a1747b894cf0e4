#include "vm/domain_xml.h"

#include <fmt/format.h>

namespace bisect_run::vm {
namespace {

std::string cpu_xml(const DomainSpec& spec) {
  // Without ACPI a kernel knows further CPUs from the MP table only, which lists one per socket.
  const std::string topology =
      fmt::format("<topology sockets='{}' dies='1' cores='1' threads='1'/>", spec.cpus);
  if (spec.kvm) return "<cpu mode='host-passthrough' check='none'>" + topology + "</cpu>";
  return "<cpu mode='custom' match='exact' check='none'><model>qemu64</model>" + topology +
         "</cpu>";
}

std::string clock_xml(const DomainSpec& spec) {
  if (!spec.virtual_clock) return {};
  return "<qemu:commandline><qemu:arg value='-icount'/>"
         "<qemu:arg value='shift=2,sleep=off'/></qemu:commandline>";
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '\'':
        out += "&apos;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return out;
}

std::string xml_element(std::string_view xml, std::string_view element) {
  const std::string open = fmt::format("<{}>", element), close = fmt::format("</{}>", element);
  const auto begin = xml.find(open);
  if (begin == xml.npos) return {};
  const auto from = begin + open.size();
  const auto end = xml.find(close, from);
  return end == xml.npos ? std::string() : std::string(xml.substr(from, end - from));
}

std::string domain_xml(const DomainSpec& spec, const DomainPlaces& places) {
  // No network, no disks, no host file systems, no USB: nothing the guest could reach but two
  // serial ports. Every way to end destroys: nothing is left for the next boot to trip over.
  return fmt::format(
      R"(<domain type='{type}' xmlns:qemu='http://libvirt.org/schemas/domain/qemu/1.0'>
  <name>{name}</name>
  <memory unit='MiB'>{memory}</memory>
  <vcpu>{cpus}</vcpu>
  <os>
    <type arch='x86_64' machine='{machine}'>hvm</type>
    <kernel>{kernel}</kernel>
    <initrd>{initrd}</initrd>
    <cmdline>{cmdline}</cmdline>
  </os>
  <features><acpi/><apic/><vmport state='off'/></features>
  {cpu}
  <on_poweroff>destroy</on_poweroff>
  <on_reboot>destroy</on_reboot>
  <on_crash>destroy</on_crash>
  <devices>
    <emulator>{emulator}</emulator>
    <controller type='usb' model='none'/>
    <serial type='file'><source path='{console}'/><target port='0'/></serial>
    <serial type='pty'><target port='1'/></serial>
    <memballoon model='none'/>
    <panic model='isa'/>
  </devices>
  {clock}
</domain>
)",
      fmt::arg("type", spec.kvm ? "kvm" : "qemu"), fmt::arg("name", xml_escaped(spec.name)),
      fmt::arg("memory", spec.memory_mib), fmt::arg("cpus", spec.cpus),
      fmt::arg("machine", xml_escaped(places.machine)),
      fmt::arg("kernel", xml_escaped(places.kernel.string())),
      fmt::arg("initrd", xml_escaped(places.initrd.string())),
      fmt::arg("cmdline", xml_escaped(spec.cmdline)), fmt::arg("cpu", cpu_xml(spec)),
      fmt::arg("emulator", xml_escaped(places.emulator)),
      fmt::arg("console", xml_escaped(places.console.string())),
      fmt::arg("clock", clock_xml(spec)));
}

}  // namespace bisect_run::vm
