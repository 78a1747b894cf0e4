#pragma once

#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "store/store.h"

// Results of runs that never were, with realistic noise, for tests and benchmarks of the reports.

namespace bisect_run::test {

/// What a foreign text may hold: markup, quotes, a control character, a mail address.
inline constexpr const char* kNastySubject =
    "net: <script>alert('x')</script> & \"quotes\" \033[31m by someone@example.org";
inline constexpr const char* kNastyConsole =
    "BUG: <img src=x onerror=alert(1)>\n</pre><h1>out of the box</h1>\nCPU: 0 & 1";

inline std::string made_oid(int number) {
  std::string hex(40, '0');
  for (int i = 39; number > 0; --i, number /= 16) hex[i] = "0123456789abcdef"[number % 16];
  hex[0] = 'c';
  return hex;
}

class ResultsMaker {
 public:
  explicit ResultsMaker(store::Store& store, std::uint64_t seed = 1)
      : store_(store), random_(seed) {}

  /// A bisect of about so many samples with a skip and a panic, and with this end; returns its id.
  std::string bisect(std::int64_t samples, const std::optional<Answer>& answer = plain_answer(),
                     RunStatus status = RunStatus::answered) {
    const std::vector<std::int64_t> marks{250, 500, 750, 1000, 1250, 1500, 1750, 2000};
    begin(RunKind::bisect, {kernel(0), kernel(kKernels - 1)}, "add+exec", marks);
    std::vector<Probe> probes;
    for (int k = 0; k < kKernels; ++k) build(kernel(k), k == 3);
    const auto boots =
        std::max<std::int64_t>(3 * kKernels, samples / static_cast<std::int64_t>(9 * marks.size()));
    for (std::int64_t b = 0; b < boots; ++b) {
      const int k = static_cast<int>(b) % kKernels;
      if (k == 3) continue;
      const bool panics = b == 5;
      boot(kernel(k), 2, {"add+exec"}, marks, k < kCulprit ? 250.0 : 18.0, panics);
    }
    for (int k = 0; k < kKernels; ++k)
      probes.push_back(
          {{made_oid(k)},
           k == 5 ? kNastySubject : "net: change number " + std::to_string(k),
           k == 3         ? Outcome::skip
           : k < kCulprit ? Outcome::good
                          : Outcome::bad,
           k == 3 ? "does not build: <b>kernel/nsproxy.c</b>:42: error" : "like an end",
           k == 3 ? 0 : static_cast<int>(boots) / kKernels,
           k == 3 ? std::nullopt : std::optional(k < kCulprit ? 250.0 : 18.0)});
    check(store_.save_probes(run_, probes));
    if (answer) check(store_.save_answer(run_, *answer));
    check(store_.set_status(run_, status));
    return run_;
  }

  static Answer plain_answer() {
    Answer answer;
    answer.kind = Answer::Kind::commit;
    answer.commits = {{{made_oid(kCulprit)}, kNastySubject, 0, {{made_oid(kCulprit - 1)}}}};
    answer.effect = -0.928;
    answer.effect_low = -0.931;
    answer.effect_high = -0.925;
    answer.confidence = 0.9991;
    return answer;
  }

  /// With all that an answer can have; whoever wrote the texts meant no good.
  static Answer full_answer() {
    Answer answer = plain_answer();
    answer.separation = 12.5;
    answer.verified = -0.93;
    answer.controls = 2;
    answer.two_changes = 0.97;
    answer.rest = 0.004;
    answer.further = {{.commits = {{{made_oid(5)}, kNastySubject, 0, {}}},
                       .before = true,
                       .reason = "<i>one of them</i> cannot be tested",
                       .effect = -0.2,
                       .effect_low = -0.22,
                       .effect_high = -0.18,
                       .confidence = 0.995}};
    answer.search_for_more = "no further commit changes the level (probability 99.0 %)";
    answer.revert = RevertOutcome{"partial", "<b>out of time</b>", 0.6, 0.05, 4};
    answer.config_change = {.parent = {made_oid(kCulprit - 1)},
                            .differences = {{"RCU_NOCB_CPU_ALL", "-", "y"},
                                            {"boot arguments", "<script>alert('x')</script>", "-"}},
                            .equivalent = "all-by-list",
                            .cause = ConfigChange::Cause::both,
                            .reason = "the parent lies <i>between</i>",
                            .value = 120.5};
    return answer;
  }

  /// A comparison of kernels with about so many samples.
  std::string compare(std::int64_t samples, int kernels = 4, RunKind kind = RunKind::compare) {
    const std::vector<std::int64_t> marks{250, 500, 1000, 2000};
    const std::vector<std::string> metrics{"setns", "add", "add+exec", "add+2exec"};
    std::vector<KernelSpec> specs;
    for (int k = 0; k < kernels; ++k) specs.push_back(kernel(k));
    begin(kind, specs, "", marks);
    for (const auto& spec : specs) build(spec, false);
    const auto a_boot = static_cast<std::int64_t>(9 * marks.size() * metrics.size());
    const auto rounds = std::max<std::int64_t>(3, samples / a_boot / kernels);
    for (std::int64_t round = 0; round < rounds; ++round)
      for (int k = 0; k < kernels; ++k)
        boot(specs[static_cast<std::size_t>(k)], 2, metrics, marks, k == kernels - 1 ? 18.0 : 250.0,
             false);
    check(store_.set_status(run_, RunStatus::answered));
    return run_;
  }

 private:
  static constexpr int kKernels = 14, kCulprit = 8;

  static void check(const Status& status) {
    if (!status) throw std::runtime_error(status.error().message);
  }

  static KernelSpec kernel(int number) {
    return {"v6." + std::to_string(number), {made_oid(number)}, {}, "none"};
  }

  void begin(RunKind kind, std::vector<KernelSpec> kernels, std::string metric,
             std::vector<std::int64_t> marks) {
    RunRequest request;
    request.kind = kind;
    request.repository = "/nowhere/linux.git";
    request.kernels = std::move(kernels);
    request.scenario = "netns-scaling";
    request.mode = "fork";
    request.metric = std::move(metric);
    request.marks = std::move(marks);
    request.cpus = {2};
    request.machine = {2, 512, "tcg", "real"};
    request.boots = 3;
    store::Provenance facts;
    facts.scenario_digest = "digest";
    facts.harness_version = "0.1.0";
    facts.host_cpu = "Made CPU <at> 2.5GHz";
    facts.host_cpus = 2;
    facts.host_kernel = "6.1.0";
    facts.qemu = "7.2";
    facts.scenario_text = "name: netns-scaling\n";
    const auto id = store_.begin_run(request, facts);
    if (!id) throw std::runtime_error(id.error().message);
    run_ = *id;
    clock_ = 0;
  }

  void build(const KernelSpec& spec, bool fails) {
    clock_ += 240;
    if (fails) {
      check(store_.built(run_, spec,
                         fail(ErrorKind::skip_build, "does not build: <b>kernel/nsproxy.c</b>")));
      return;
    }
    Image image;
    image.build_key = image.signature = "sig-" + spec.commit.hex;
    image.build_id = spec.commit.hex;
    image.release = "6.1.0";
    image.compiler = "gcc (Debian) 12.2.0";
    image.build_seconds = 240;
    image.ledger = {{"SMP", "y", "y", LedgerFate::kept, true},
                    {"RCU_LAZY", "n", "n", LedgerFate::unknown_symbol, false}};
    image.remedies = {{"compiler-header", "<i>adds</i> a file"}};
    check(store_.built(run_, spec, image));
  }

  void boot(const KernelSpec& spec, int cpus, const std::vector<std::string>& metrics,
            const std::vector<std::int64_t>& marks, double rate, bool panics) {
    clock_ += 30;
    const Machine machine{cpus, 512, "tcg", "real"};
    const auto id = store_.boot_started(run_, {spec, "sig-" + spec.commit.hex, machine, "digest"});
    if (!id) throw std::runtime_error(id.error().message);
    Handshake hello;
    hello.release = "6.1.0";
    hello.cpus = cpus;
    check(store_.handshake(*id, hello));
    const double luck = std::exp(0.02 * normal_(random_));
    for (const auto& metric : metrics)
      for (const auto mark : marks)
        for (int chunk = 0; chunk < 9 && !panics; ++chunk)
          check(store_.sample(*id, sample(metric, mark, chunk, rate * luck)));
    Boot done;
    done.domain = "bisect-run-made";
    done.machine = machine;
    done.outcome = panics ? BootOutcome::panic : BootOutcome::complete;
    if (panics) done.reason = "the guest panicked: <i>oops</i>";
    if (panics) done.console_tail = kNastyConsole;
    done.wall_seconds = 30;
    check(store_.boot_ended(*id, done, clock_));
  }

  Sample sample(const std::string& metric, std::int64_t mark, int chunk, double rate) {
    Sample made;
    made.metric = metric;
    made.mark = mark;
    made.chunk = chunk;
    made.items = 28;
    made.wall_ns = static_cast<std::int64_t>(
        28e9 / (rate * std::exp(0.035 * normal_(random_) - static_cast<double>(mark) / 20000)));
    made.user_ns = made.wall_ns / 3;
    made.system_ns = made.wall_ns / 2;
    made.voluntary_switches = 12;
    return made;
  }

  store::Store& store_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::string run_;
  double clock_ = 0;
};

}  // namespace bisect_run::test
