#include <SQLiteCpp/Database.h>
#include <fmt/format.h>

#include <unordered_map>

#include "model/try.h"
#include "store/impl.h"
#include "store/json.h"
#include "store/sqlite_error.h"

namespace bisect_run::store {
namespace {

/// Every build and boot has its kernel's patches with it. No run of ours comes near; a stranger's
/// file of a few megabytes could fill the memory with one patch and many boots.
constexpr std::size_t kMostPatchBytes = std::size_t{1} << 30;

/// Reads one run in one transaction, so that a controller at work changes nothing in between.
class HistoryReader {
 public:
  HistoryReader(SQLite::Database& database, std::int64_t run,
                const std::function<void(BootRecord&)>& each_boot)
      : database_(database), run_(run), each_boot_(each_boot) {}

  Result<History> read() {
    BR_TRY(read_kernels());
    BR_TRY(read_builds());
    BR_TRY(read_ledgers());
    BR_TRY(read_remedies());
    BR_TRY(read_boots());
    read_samples();
    Query elapsed(database_, "SELECT elapsed FROM run WHERE number = ?", run_);
    elapsed.next();
    history_.elapsed = elapsed.real(0);
    return std::move(history_);
  }

 private:
  Status read_kernels() {
    Query query(database_, "SELECT id, spec_json FROM kernel WHERE run = ?", run_);
    while (query.next()) {
      BR_TRY_ASSIGN(specs_[query.integer(0)], spec_from(query.text(1)));
    }
    return {};
  }

  Result<KernelSpec> spec_of_kernel(std::int64_t kernel) {
    const auto& spec = specs_[kernel];
    for (const auto& patch : spec.patches) patch_bytes_ += patch.text.size();
    if (patch_bytes_ > kMostPatchBytes)
      return fail(ErrorKind::infra,
                  "the results file holds patches of more than a gigabyte for one run");
    return spec;
  }

  Status read_builds() {
    Query query(
        database_,
        "SELECT id, kernel, build_key, signature, build_id, release, config_digest, compiler,"
        " bzimage, config, boot_args_json, offload, cached, build_seconds, error_kind,"
        " error_message, error_detail,"
        " (SELECT count(*) FROM boot WHERE boot.run = build.run"
        "  AND boot.recorded_at < build.recorded_at)"
        " FROM build WHERE run = ? ORDER BY id",
        run_);
    while (query.next()) {
      BuildRecord build;
      BR_TRY_ASSIGN(build.spec, spec_of_kernel(query.integer(1)));
      build.boots_before = static_cast<std::size_t>(query.integer(17));
      if (const auto kind = query.text_or_null(14)) {
        build.error =
            Error{error_kind_from(*kind).value_or(ErrorKind::bug), query.text(15), query.text(16)};
      } else {
        BR_TRY_ASSIGN(build.image, image_from(query));
      }
      build_index_[query.integer(0)] = history_.builds.size();
      history_.builds.push_back(std::move(build));
    }
    return {};
  }

  static Result<Image> image_from(const Query& row) {
    Image image;
    image.build_key = row.text(2);
    image.signature = row.text(3);
    image.build_id = row.text(4);
    image.release = row.text(5);
    image.config_digest = row.text(6);
    image.compiler = row.text(7);
    image.bzimage = row.text(8);
    image.config = row.text(9);
    BR_TRY_ASSIGN(image.boot_args, words_from(row.text(10)));
    image.offload = row.text(11);
    image.cached = row.integer(12) != 0;
    image.build_seconds = row.real(13);
    return image;
  }

  Status read_ledgers() {
    Query query(database_,
                "SELECT l.build, l.symbol, l.asked, l.got, l.fate, l.must FROM build b"
                " CROSS JOIN ledger l ON l.build = b.id WHERE b.run = ? ORDER BY b.id, l.position",
                run_);
    while (query.next()) {
      const auto fate = ledger_fate_from(query.text(4));
      auto& image = history_.builds[build_index_.at(query.integer(0))].image;
      if (!fate || !image)
        return fail(ErrorKind::infra,
                    "the results file holds a ledger that cannot be read; it is damaged");
      image->ledger.push_back(
          {query.text(1), query.text(2), query.text(3), *fate, query.integer(5) != 0});
    }
    return {};
  }

  Status read_remedies() {
    Query query(database_,
                "SELECT r.build, r.name, r.did FROM build b CROSS JOIN remedy r ON r.build = b.id"
                " WHERE b.run = ? ORDER BY b.id, r.position",
                run_);
    while (query.next()) {
      auto& image = history_.builds[build_index_.at(query.integer(0))].image;
      if (!image)
        return fail(ErrorKind::infra,
                    "the results file holds a remedy without a kernel; it is damaged");
      image->remedies.push_back({query.text(1), query.text(2)});
    }
    return {};
  }

  Status read_boots() {
    Query query(
        database_,
        "SELECT id, kernel, signature, ended_at, domain, cpus, memory_mib, accelerator, clock,"
        " cmdline, outcome, reason, console_tail, wall_seconds, destroy_seconds, guest_release,"
        " guest_build_id, guest_config_digest, guest_cmdline, guest_agent_digest, guest_cpus,"
        " guest_clocksource, guest_clock_ns, guest_offloaded, guest_boot_seconds,"
        " host_load, host_others, host_steal, host_mhz, host_suspended, scenario_digest"
        " FROM boot WHERE run = ? ORDER BY id",
        run_);
    while (query.next()) {
      BootRecord record;
      record.id = query.integer(0);
      BR_TRY_ASSIGN(record.spec, spec_of_kernel(query.integer(1)));
      record.signature = query.text(2);
      record.ended_at = query.real(3);
      record.scenario_digest = query.text(30);
      BR_TRY_ASSIGN(record.boot, boot_from(query));
      boot_index_[record.id] = history_.boots.size();
      history_.boots.push_back(std::move(record));
    }
    return {};
  }

  static Result<Boot> boot_from(const Query& row) {
    Boot boot;
    boot.domain = row.text(4);
    boot.machine = {row.small(5), row.small(6), row.text(7), row.text(8)};
    boot.cmdline = row.text(9);
    const auto outcome = boot_outcome_from(row.text(10));
    if (!outcome)
      return fail(ErrorKind::infra,
                  fmt::format("the outcome '{}' of a boot is not known", row.text(10)));
    boot.outcome = *outcome;
    boot.reason = row.text(11);
    boot.console_tail = row.text(12);
    boot.wall_seconds = row.real(13);
    boot.destroy_seconds = row.real(14);
    if (row.text_or_null(15)) boot.handshake = handshake_from(row);
    if (row.real_or_null(29)) boot.host = host_from(row);
    return boot;
  }

  static Handshake handshake_from(const Query& row) {
    Handshake hello;
    hello.release = row.text(15);
    hello.build_id = row.text(16);
    hello.config_digest = row.text(17);
    hello.cmdline = row.text(18);
    hello.agent_digest = row.text(19);
    hello.cpus = row.small(20);
    hello.clocksource = row.text(21);
    hello.clock_resolution_ns = row.integer(22);
    hello.offloaded = row.text(23);
    hello.boot_seconds = row.real(24);
    return hello;
  }

  static HostConditions host_from(const Query& row) {
    return {.load = row.real_or_null(25),
            .others = row.real_or_null(26),
            .steal = row.real_or_null(27),
            .mhz = row.real_or_null(28),
            .suspended_s = row.real(29)};
  }

  void read_samples() {
    std::unordered_map<std::int64_t, std::pair<std::string, std::string>> metrics;
    Query names(database_, "SELECT id, name, unit FROM metric");
    while (names.next()) metrics[names.integer(0)] = {names.text(1), names.text(2)};
    // The outer loop goes over the boots, so that the samples come in the order of their key.
    Query query(
        database_,
        "SELECT s.boot, s.metric, s.mark, s.repetition, s.chunk, s.items, s.wall_ns, s.user_ns,"
        " s.system_ns, s.voluntary_switches, s.tsc_cycles, s.value FROM boot b"
        " CROSS JOIN sample s ON s.boot = b.id WHERE b.run = ?"
        " ORDER BY b.id, s.metric, s.mark, s.repetition, s.chunk",
        run_);
    while (query.next()) {
      Sample sample;
      std::tie(sample.metric, sample.unit) = metrics.at(query.integer(1));
      sample.mark = query.integer(2);
      sample.repetition = query.small(3);
      sample.chunk = query.small(4);
      sample.items = query.integer(5);
      sample.wall_ns = query.integer(6);
      sample.user_ns = query.integer_or_null(7);
      sample.system_ns = query.integer_or_null(8);
      sample.voluntary_switches = query.integer_or_null(9);
      sample.tsc_cycles = query.integer_or_null(10);
      sample.value = query.real_or_null(11);
      hand_out_before(boot_index_.at(query.integer(0)));
      history_.boots[next_].samples.push_back(std::move(sample));
    }
    hand_out_before(history_.boots.size());
  }

  /// Samples come in the order of their boots: those before `index` are complete.
  void hand_out_before(std::size_t index) {
    for (; next_ < index; ++next_) each_boot_(history_.boots[next_]);
  }

  SQLite::Database& database_;
  std::int64_t run_;
  const std::function<void(BootRecord&)>& each_boot_;
  History history_;
  std::size_t next_ = 0;  ///< the first boot that was not handed out
  std::unordered_map<std::int64_t, KernelSpec> specs_;
  std::size_t patch_bytes_ = 0;
  std::unordered_map<std::int64_t, std::size_t> build_index_, boot_index_;
};

}  // namespace

Result<History> Store::history(const std::string& run) const {
  return history(run, [](BootRecord&) {});
}

Result<History> Store::history(const std::string& run,
                               const std::function<void(BootRecord&)>& each_boot) const {
  return guarded(impl_->file, "reading the history", [&]() -> Result<History> {
    Transaction transaction(*impl_->main, Transaction::Kind::read);
    BR_TRY_ASSIGN(const auto number, impl_->number_of(run));
    return HistoryReader(*impl_->main, number, each_boot).read();
  });
}

}  // namespace bisect_run::store
