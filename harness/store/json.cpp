#include "store/json.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "store/json_values.h"

namespace bisect_run::store {
namespace {

using nlohmann::json;

json machine_json(const Machine& machine) {
  return {{"cpus", machine.cpus},
          {"memory_mib", machine.memory_mib},
          {"accelerator", machine.accelerator},
          {"clock", machine.clock}};
}

Machine machine_of(const json& object) {
  Machine machine;
  machine.cpus = object.value("cpus", machine.cpus);
  machine.memory_mib = object.value("memory_mib", machine.memory_mib);
  machine.accelerator = object.value("accelerator", machine.accelerator);
  machine.clock = object.value("clock", machine.clock);
  return machine;
}

json spec_json(const KernelSpec& spec) {
  json patches = json::array();
  for (const auto& patch : spec.patches)
    patches.push_back({{"name", text_json(patch.name)}, {"text", text_json(patch.text)}});
  json object{{"text", text_json(spec.text)},
              {"commit", spec.commit.hex},
              {"patches", patches},
              {"variant", spec.variant}};
  if (spec.machine) object["machine"] = machine_json(*spec.machine);
  return object;
}

/// A commit; or this machine's own kernel, which has none and is named by its release.
Oid kernel_of(const std::string& text) {
  constexpr std::size_t kLongest = 80;
  const bool own =
      text.starts_with("linux-") && text.size() <= kLongest &&
      std::ranges::all_of(text, [](unsigned char c) {
        return std::isalnum(c) != 0 ||
               std::string_view("._+~-").find(static_cast<char>(c)) != std::string_view::npos;
      });
  return own ? Oid{text} : oid_of(text);
}

KernelSpec spec_of(const json& object) {
  KernelSpec spec;
  spec.text = text_at(object, "text");
  spec.commit = kernel_of(object.at("commit").get<std::string>());
  for (const auto& patch : object.value("patches", json::array()))
    spec.patches.push_back({text_at(patch, "name"), text_at(patch, "text")});
  spec.variant = object.value("variant", "");
  if (const auto machine = object.find("machine"); machine != object.end())
    spec.machine = machine_of(*machine);
  return spec;
}

json build_json(const BuildChoice& build) {
  json make_args = json::array();
  for (const auto& word : build.make_args) make_args.push_back(text_json(word));
  return {{"cc", text_json(build.cc)},
          {"make_args", std::move(make_args)},
          {"config", text_json(build.config)}};
}

BuildChoice build_of(const json& object) {
  BuildChoice build{text_at(object, "cc"), {}, text_at(object, "config")};
  for (const auto& word : object.value("make_args", json::array()))
    build.make_args.push_back(text_of(word));
  return build;
}

json host_json(const HostChoice& host) {
  return {{"isolate_builds", text_json(host.isolate_builds)},
          {"cache_size", text_json(host.cache_size)},
          {"connect", text_json(host.connect)}};
}

HostChoice host_of(const json& object) {
  return {text_at(object, "isolate_builds"), text_at(object, "cache_size"),
          text_at(object, "connect")};
}

json oids_json(const std::vector<Oid>& oids) {
  json list = json::array();
  for (const auto& oid : oids) list.push_back(oid.hex);
  return list;
}

std::vector<Oid> oids_of(const json& object, const char* key) {
  std::vector<Oid> oids;
  for (const auto& oid : object.value(key, json::array()))
    oids.push_back(oid_of(oid.get<std::string>()));
  return oids;
}

json texts_json(const std::vector<std::string>& texts) {
  json list = json::array();
  for (const auto& text : texts) list.push_back(text_json(text));
  return list;
}

/// How many kernels a request of this kind has at least: reports and engine count on them.
std::size_t least_kernels(RunKind kind) {
  switch (kind) {
    case RunKind::bisect:
    case RunKind::calibrate:
      return 2;
    case RunKind::judge:
      return 3;
    case RunKind::compare:
    case RunKind::scenario:
      return 1;
  }
  return 1;
}

RunRequest request_of(const json& object) {
  RunRequest request;
  const auto kind = run_kind_from(object.at("kind").get<std::string>());
  if (!kind) throw std::invalid_argument("unknown kind of run");
  request.kind = *kind;
  request.repository = text_at(object, "repository");
  for (const auto& kernel : object.at("kernels")) request.kernels.push_back(spec_of(kernel));
  if (request.kernels.size() < least_kernels(request.kind))
    throw std::invalid_argument("too few kernels for this kind of run");
  request.scenario = object.value("scenario", "");
  request.mode = object.value("mode", "");
  request.metric = object.value("metric", "");
  request.marks = object.value("marks", request.marks);
  request.cpus = object.value("cpus", request.cpus);
  request.machine = machine_of(object.at("machine"));
  request.boots = object.value("boots", request.boots);
  request.most_boots = object.value("most_boots", request.most_boots);
  request.fail_on_regression = object.value("fail_on_regression", request.fail_on_regression);
  request.on_end = text_at(object, "on_end");
  for (const auto& more : object.value("more_scenarios", json::array()))
    request.more_scenarios.push_back(
        {text_at(more, "name"), text_at(more, "mode"), text_at(more, "digest")});
  request.prebuild = object.value("prebuild", request.prebuild);
  request.layouts = object.value("layouts", request.layouts);
  request.find_fix = object.value("find_fix", request.find_fix);
  request.build = build_of(object.value("build", json::object()));
  request.host = host_of(object.value("host", json::object()));
  request.strategy = object.value("strategy", request.strategy);
  request.budget_s = object.value("budget_s", request.budget_s);
  request.confidence = object.value("confidence", request.confidence);
  request.min_effect = object.value("min_effect", request.min_effect);
  request.more_good = oids_of(object, "more_good");
  request.untestable = oids_of(object, "untestable");
  for (const auto& path : object.value("paths", json::array()))
    request.paths.push_back(text_of(path));
  request.first_parent = object.value("first_parent", request.first_parent);
  request.judge_file = text_at(object, "judge_file");
  request.imported = text_at(object, "imported");
  return request;
}

Provenance provenance_of(const json& object) {
  Provenance made;
  made.scenario_digest = text_at(object, "scenario_digest");
  made.agent_digest = text_at(object, "agent_digest");
  made.harness_version = text_at(object, "harness_version");
  made.host = text_at(object, "host");
  made.host_cpu = text_at(object, "host_cpu");
  made.host_cpus = object.value("host_cpus", 0);
  made.host_kernel = text_at(object, "host_kernel");
  made.qemu = text_at(object, "qemu");
  made.libvirt = text_at(object, "libvirt");
  made.compiler = text_at(object, "compiler");
  return made;
}

}  // namespace

std::string to_json(const KernelSpec& spec) {
  return spec_json(spec).dump();
}

std::string to_json(const RunRequest& request) {
  json kernels = json::array();
  for (const auto& kernel : request.kernels) kernels.push_back(spec_json(kernel));
  json more = json::array();
  for (const auto& each : request.more_scenarios)
    more.push_back({{"name", each.name}, {"mode", each.mode}, {"digest", each.digest}});
  return json{{"kind", to_string(request.kind)},
              {"repository", text_json(request.repository)},
              {"kernels", kernels},
              {"scenario", request.scenario},
              {"mode", request.mode},
              {"metric", request.metric},
              {"marks", request.marks},
              {"cpus", request.cpus},
              {"machine", machine_json(request.machine)},
              {"boots", request.boots},
              {"most_boots", request.most_boots},
              {"fail_on_regression", request.fail_on_regression},
              {"on_end", text_json(request.on_end)},
              {"more_scenarios", more},
              {"prebuild", request.prebuild},
              {"layouts", request.layouts},
              {"find_fix", request.find_fix},
              {"build", build_json(request.build)},
              {"host", host_json(request.host)},
              {"strategy", request.strategy},
              {"budget_s", request.budget_s},
              {"confidence", request.confidence},
              {"min_effect", request.min_effect},
              {"more_good", oids_json(request.more_good)},
              {"untestable", oids_json(request.untestable)},
              {"paths", texts_json(request.paths)},
              {"first_parent", request.first_parent},
              {"judge_file", text_json(request.judge_file)},
              {"imported", text_json(request.imported)}}
      .dump();
}

std::string to_json(const std::vector<std::string>& words) {
  return texts_json(words).dump();
}

std::string to_json(const Provenance& made) {
  return json{{"scenario_digest", text_json(made.scenario_digest)},
              {"agent_digest", text_json(made.agent_digest)},
              {"harness_version", text_json(made.harness_version)},
              {"host", text_json(made.host)},
              {"host_cpu", text_json(made.host_cpu)},
              {"host_cpus", made.host_cpus},
              {"host_kernel", text_json(made.host_kernel)},
              {"qemu", text_json(made.qemu)},
              {"libvirt", text_json(made.libvirt)},
              {"compiler", text_json(made.compiler)}}
      .dump();
}

Result<RunRequest> request_from(std::string_view text) {
  return read(text, "a request", request_of);
}
Result<KernelSpec> spec_from(std::string_view text) {
  return read(text, "a kernel", spec_of);
}
Result<Provenance> provenance_from(std::string_view text) {
  return read(text, "the description of a host", provenance_of);
}

Result<std::vector<std::string>> words_from(std::string_view text) {
  return read(text, "a list of words", [](const json& list) {
    std::vector<std::string> words;
    for (const auto& word : list) words.push_back(text_of(word));
    return words;
  });
}

}  // namespace bisect_run::store
