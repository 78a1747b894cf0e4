#include <SQLiteCpp/Database.h>

#include <fmt/format.h>

#include "model/try.h"
#include "store/impl.h"
#include "store/json.h"
#include "store/json_values.h"
#include "store/sqlite_error.h"

namespace bisect_run::store {
namespace {

std::optional<Outcome> outcome_from(std::string_view word) {
  for (const auto outcome :
       {Outcome::abort, Outcome::skip, Outcome::undecided, Outcome::bad, Outcome::good})
    if (to_string(outcome) == word) return outcome;
  return std::nullopt;
}

}  // namespace

Status Store::set_status(const std::string& run, RunStatus status, std::string_view message) {
  return guarded(impl_->file, "recording the status", [&]() -> Status {
    BR_TRY_ASSIGN(const auto number, impl_->writable(run));
    std::optional<double> ended_at;
    if (status != RunStatus::running) ended_at = wall_clock();
    Query(*impl_->main, "UPDATE run SET status = ?, message = ?, ended_at = ? WHERE number = ?",
          to_string(status), message, ended_at, number)
        .run();
    return {};
  });
}

Status Store::amend_request(const std::string& run, const RunRequest& request) {
  return guarded(impl_->file, "recording the request", [&]() -> Status {
    BR_TRY_ASSIGN(const auto number, impl_->writable(run));
    Query(*impl_->main, "UPDATE run SET request_json = ? WHERE number = ?", to_json(request),
          number)
        .run();
    return {};
  });
}

Status Store::save_answer(const std::string& run, const Answer& answer) {
  return guarded(impl_->file, "recording the answer", [&]() -> Status {
    BR_TRY_ASSIGN(const auto number, impl_->writable(run));
    Query(*impl_->main, "UPDATE run SET answer_json = ? WHERE number = ?", to_json(answer), number)
        .run();
    return {};
  });
}

Status Store::save_probes(const std::string& run, std::span<const Probe> probes) {
  return guarded(impl_->file, "recording the probes", [&]() -> Status {
    BR_TRY_ASSIGN(const auto number, impl_->writable(run));
    Transaction transaction(*impl_->main, Transaction::Kind::write);
    Query(*impl_->main, "DELETE FROM probe WHERE run = ?", number).run();
    std::int64_t position = 0;
    for (const auto& probe : probes)
      Query(*impl_->main,
            "INSERT INTO probe (run, position, oid, subject, outcome, reason, boots, value)"
            " VALUES (?,?,?,?,?,?,?,?)",
            number, position++, probe.oid.hex, probe.subject, to_string(probe.outcome),
            probe.reason, probe.boots, probe.value)
          .run();
    transaction.commit();
    return {};
  });
}

Result<std::vector<Probe>> Store::probes(const std::string& run) const {
  return guarded(impl_->file, "reading the probes", [&]() -> Result<std::vector<Probe>> {
    BR_TRY_ASSIGN(const auto number, impl_->number_of(run));
    Query query(*impl_->main,
                "SELECT oid, subject, outcome, reason, boots, value FROM probe WHERE run = ? ORDER "
                "BY position",
                number);
    std::vector<Probe> probes;
    while (query.next()) {
      const auto outcome = outcome_from(query.text(2));
      if (!outcome)
        return fail(ErrorKind::infra,
                    fmt::format("the outcome '{}' of a probe is not known", query.text(2)));
      probes.push_back({oid_of(query.text(0)), query.text(1), *outcome, query.text(3),
                        query.small(4), query.real_or_null(5)});
    }
    return probes;
  });
}

Status Store::journal(const std::string& run, std::string_view stage, std::string_view detail,
                      double at) {
  return guarded(impl_->file, "writing the journal", [&]() -> Status {
    BR_TRY_ASSIGN(const auto number, impl_->writable(run));
    Transaction transaction(*impl_->main, Transaction::Kind::write);
    Query(*impl_->main,
          "INSERT INTO journal (run, at, recorded_at, stage, detail) VALUES (?,?,?,?,?)", number,
          at, wall_clock(), stage, detail)
        .run();
    Query(*impl_->main, "UPDATE run SET elapsed = max(elapsed, ?) WHERE number = ?", at, number)
        .run();
    transaction.commit();
    return {};
  });
}

Result<std::vector<JournalLine>> Store::journal(const std::string& run) const {
  return guarded(impl_->file, "reading the journal", [&]() -> Result<std::vector<JournalLine>> {
    BR_TRY_ASSIGN(const auto number, impl_->number_of(run));
    Query query(*impl_->main, "SELECT at, stage, detail FROM journal WHERE run = ? ORDER BY id",
                number);
    std::vector<JournalLine> lines;
    while (query.next()) lines.push_back({query.real(0), query.text(1), query.text(2)});
    return lines;
  });
}

}  // namespace bisect_run::store
