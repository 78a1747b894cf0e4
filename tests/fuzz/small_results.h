#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fuzz/fuzz.h"
#include "store/store.h"

// As few results as have one of everything.

namespace bisect_run::test {

/// Writes one run of a kind into a store.
class SmallRun {
 public:
  SmallRun(store::Store& store, RunKind kind) : store_(store) {
    RunRequest request;
    request.kind = kind;
    request.repository = "/nowhere/linux.git";
    request.kernels = {kernel("v1", 'a'), kernel("v2", 'b')};
    request.scenario = "netns-scaling";
    request.mode = "fork";
    request.metric = kind == RunKind::bisect ? "veth.add" : "";
    request.marks = {100, 500};
    request.cpus = {2};
    request.machine = machine();
    request.boots = 2;
    request.more_good = {{std::string(40, 'd')}};
    request.paths = {"net"};
    store::Provenance host;
    host.host_cpu = "CPU";
    host.scenario_text = "name: netns-scaling\n";
    host.scenario_digest = "digest";
    const auto run = store_.begin_run(request, host);
    require(run.has_value());
    run_ = *run;
    for (const auto& spec : request.kernels) build(spec);
    require(
        store_.built(run_, kernel("v3", 'c'), fail(ErrorKind::skip_build, "no rule")).has_value());
    for (int round = 0; round < 2; ++round)
      for (const auto& spec : request.kernels) boot(spec, spec.text == "v1" ? 1000 : 1500);
    if (kind == RunKind::bisect) answer();
    require(store_.journal(run_, "build", "v1", 1).has_value());
    require(store_.set_status(run_, RunStatus::answered).has_value());
  }

 private:
  static KernelSpec kernel(const std::string& text, char digit) {
    return {text, {std::string(40, digit)}, {{"p.patch", "--- a/f\n"}}, "none"};
  }
  static Machine machine() { return {2, 512, "tcg", "real"}; }

  void build(const KernelSpec& spec) {
    Image image;
    image.build_key = image.signature = spec.text;
    image.release = "6.1.0";
    image.bzimage = image.config = "/nowhere/config";
    image.boot_args = {"quiet"};
    image.ledger = {{"SMP", "y", "n", LedgerFate::unmet, true}};
    image.remedies = {{"no-pie", "CC+=-fno-pie"}};
    require(store_.built(run_, spec, image).has_value());
  }

  void boot(const KernelSpec& spec, std::int64_t wall_ns) {
    const auto id = store_.boot_started(run_, {spec, spec.text, machine(), "digest"});
    require(id.has_value());
    for (const std::int64_t mark : {100, 500})
      for (int chunk = 0; chunk < 2; ++chunk) {
        Sample sample;
        sample.metric = "veth.add";
        sample.mark = mark;
        sample.chunk = chunk;
        sample.items = 50;
        sample.wall_ns = wall_ns + chunk;
        sample.user_ns = 10;
        require(store_.sample(*id, sample).has_value());
        sample.metric = "veth.add.cycles";
        sample.unit = "count";
        sample.value = chunk == 0 ? std::optional(7.0) : std::nullopt;
        require(store_.sample(*id, sample).has_value());
      }
    Boot done;
    done.machine = machine();
    done.outcome = BootOutcome::complete;
    done.handshake = Handshake{.release = "6.1.0", .cpus = 2, .clocksource = "tsc"};
    done.host = HostConditions{.load = 1.0, .suspended_s = 0};
    require(store_.boot_ended(*id, done, clock_ += 10).has_value());
  }

  void answer() {
    Answer answer;
    answer.kind = Answer::Kind::commit;
    answer.commits = {{{std::string(40, 'b')}, "subject", 1, {{std::string(40, 'a')}}}};
    answer.effect = -0.3;
    answer.effect_low = -0.4;
    answer.effect_high = -0.2;
    answer.confidence = 0.99;
    answer.further = {{.commits = answer.commits, .reason = "more", .effect = 0.1}};
    answer.revert = RevertOutcome{.verdict = "confirmed", .recovered = 1, .boots = 3};
    answer.config_change = ConfigChange{
        .parent = {std::string(40, 'a')}, .differences = {{"SMP", "y", "n"}}, .equivalent = "all"};
    require(store_.save_answer(run_, answer).has_value());
    const std::vector<Probe> probes{
        {{std::string(40, 'a')}, "first", Outcome::good, "like GOOD", 2, 1.0},
        {{std::string(40, 'b')}, "second", Outcome::bad, "like BAD", 2, 2.0}};
    require(store_.save_probes(run_, probes).has_value());
  }

  store::Store& store_;
  std::string run_;
  double clock_ = 0;
};

inline void make_small_results(const std::filesystem::path& file) {
  auto store = store::Store::open(file);
  require(store.has_value());
  const SmallRun bisect(*store, RunKind::bisect), compare(*store, RunKind::compare);
}

}  // namespace bisect_run::test
