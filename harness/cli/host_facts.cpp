#include "cli/host_facts.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>
#include <thread>

#include "model/try.h"
#include "process/run.h"
#include "vm/versions.h"
#include "wire/digest.h"

namespace bisect_run::cli {
namespace {

std::string read_all(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string cpu_model() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name"))
      if (const auto colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  return {};
}

std::string first_line_of(const std::string& program) {
  process::Spec spec;
  spec.argv = {program, "--version"};
  spec.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"};
  spec.deadline_s = 20;
  const auto outcome = process::run(spec, {});
  if (!outcome || outcome->end != process::End::exited || outcome->code != 0) return {};
  return outcome->tail.substr(0, outcome->tail.find('\n'));
}

std::string without_prefix(std::string text, std::string_view prefix) {
  if (text.starts_with(prefix)) text.erase(0, prefix.size());
  return text;
}

}  // namespace

std::string file_digest(const std::filesystem::path& file) {
  return wire::digest_of(read_all(file));
}

std::string host_digest() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return wire::Digest().add(name.data()).add(read_all("/etc/machine-id")).hex();
}

Result<store::Provenance> gather_provenance(const Scenario& scenario,
                                            const std::filesystem::path& scenario_file,
                                            const std::string& compiler, const Places& places) {
  store::Provenance facts;
  facts.scenario_text = read_all(scenario_file);
  facts.scenario_digest = scenario.digest;
  facts.agent_digest = file_digest(places.agent);
  facts.harness_version = kVersion;
  facts.host = host_digest();
  facts.host_cpu = cpu_model();
  facts.host_cpus = static_cast<int>(std::thread::hardware_concurrency());
  utsname names{};
  if (uname(&names) == 0) facts.host_kernel = names.release;
  facts.qemu = without_prefix(first_line_of("qemu-system-x86_64"), "QEMU emulator version ");
  facts.libvirt = vm::libvirt_version();
  if (!compiler.empty()) facts.compiler = first_line_of(compiler);
  return facts;
}

}  // namespace bisect_run::cli
