#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include <SQLiteCpp/Database.h>

#include "model/try.h"
#include "store/impl.h"
#include "store/json.h"
#include "store/run_id.h"
#include "store/sqlite_error.h"

namespace bisect_run::store {
namespace {

constexpr const char* kRunColumns =
    "SELECT number, id, status, message, started_at, ended_at, elapsed, request_json, "
    "scenario_text,"
    " provenance_json, answer_json FROM run ";

std::unexpected<Error> damaged(std::string_view what) {
  return fail(ErrorKind::infra,
              fmt::format("the results file holds a run with {}; it is damaged", what));
}

/// Ids are parts of paths and are printed as they are.
bool is_run_id(std::string_view id) {
  return !id.empty() && id.size() <= 64 &&
         std::ranges::all_of(id, [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; });
}

/// Until the end of the year 9999: what calendars can write.
bool is_time(double epoch_s) {
  return epoch_s >= 0 && epoch_s < 253'402'300'800;
}

Result<RunRecord> record_from(const Query& row, const RunLocks& locks) {
  RunRecord record;
  record.id = row.text(1);
  if (!is_run_id(record.id)) return damaged("a name that is none");
  const auto status = run_status_from(row.text(2));
  if (!status)
    return fail(ErrorKind::infra,
                fmt::format("run {}: its status '{}' is not known", record.id, row.text(2)));
  record.status = *status;
  record.message = row.text(3);
  record.started_at = row.real(4);
  record.ended_at = row.real_or_null(5);
  record.elapsed = row.real(6);
  if (!is_time(record.started_at) || !is_time(record.ended_at.value_or(0)))
    return damaged("a time that is none");
  BR_TRY_ASSIGN(record.request, request_from(row.text(7)));
  BR_TRY_ASSIGN(record.provenance, provenance_from(row.text(9)));
  record.provenance.scenario_text = row.text(8);
  if (const auto answer = row.text_or_null(10)) {
    BR_TRY_ASSIGN(record.answer, answer_from(*answer));
  }
  record.live = *status == RunStatus::running && locks.taken(row.integer(0));
  return record;
}

Result<std::vector<RunRecord>> records_from(Query query, const RunLocks& locks) {
  std::vector<RunRecord> records;
  while (query.next()) {
    BR_TRY_ASSIGN(auto record, record_from(query, locks));
    records.push_back(std::move(record));
  }
  return records;
}

bool can_be_resumed(const RunRecord& record) {
  return !record.live &&
         (record.status == RunStatus::running || record.status == RunStatus::interrupted ||
          record.status == RunStatus::failed);
}

/// Takes an id that nobody has; a second try is needed once in half a million runs of one second.
std::string insert_run(SQLite::Database& database, const RunRequest& request,
                       const Provenance& provenance) {
  const double now = wall_clock();
  while (true) {
    const auto id = make_run_id(static_cast<std::time_t>(now));
    try {
      Query(database,
            "INSERT INTO run (id, kind, status, started_at, request_json, scenario_text, "
            "provenance_json)"
            " VALUES (?,?,?,?,?,?,?)",
            id, to_string(request.kind), to_string(RunStatus::running), now, to_json(request),
            provenance.scenario_text, to_json(provenance))
          .run();
      return id;
    } catch (...) {
      if (!is_duplicate_key()) throw;
    }
  }
}

}  // namespace

Result<std::string> Store::begin_run(const RunRequest& request, const Provenance& provenance) {
  return guarded(impl_->file, "recording the run", [&]() -> Result<std::string> {
    // The claim comes before the commit: no other controller may see the run unclaimed.
    Transaction transaction(*impl_->main, Transaction::Kind::write);
    const auto id = insert_run(*impl_->main, request, provenance);
    const auto number = last_insert_id(*impl_->main);
    BR_TRY_ASSIGN(const bool locked, impl_->locks.acquire(number));
    if (!locked)
      return fail(ErrorKind::bug, fmt::format("the new run {} is locked by another process", id));
    transaction.commit();
    impl_->claimed[id] = number;
    return id;
  });
}

Status Store::claim(const std::string& run) {
  return guarded(impl_->file, "claiming the run", [&]() -> Status {
    BR_TRY_ASSIGN(const auto number, impl_->number_of(run));
    BR_TRY_ASSIGN(const bool locked, impl_->locks.acquire_from_dying(number));
    if (!locked)
      return fail(ErrorKind::usage,
                  fmt::format("another process is at work on run {}; watch it with "
                              "`bisect-run show {}`, or end it first",
                              run, run));
    Transaction transaction(*impl_->main, Transaction::Kind::write);
    Query(*impl_->main,
          "UPDATE boot SET outcome = ?, reason = 'the controller ended before the boot did', "
          "ended_at ="
          " (SELECT elapsed FROM run WHERE number = ?) WHERE run = ? AND outcome = ?",
          to_string(BootOutcome::interrupted), number, number, to_string(BootOutcome::running))
        .run();
    Query(*impl_->main, "UPDATE run SET status = ?, message = '', ended_at = NULL WHERE number = ?",
          to_string(RunStatus::running), number)
        .run();
    transaction.commit();
    impl_->claimed[run] = number;
    return {};
  });
}

Result<RunRecord> Store::run(std::string_view id_or_prefix) const {
  return guarded(impl_->file, "reading the run", [&]() -> Result<RunRecord> {
    Query query(
        *impl_->main,
        (std::string(kRunColumns) + "WHERE substr(id, 1, length(?1)) = ?1 ORDER BY number").c_str(),
        id_or_prefix);
    BR_TRY_ASSIGN(auto found, records_from(std::move(query), impl_->locks));
    for (auto& record : found)
      if (record.id == id_or_prefix) return std::move(record);
    if (found.size() == 1 && !id_or_prefix.empty()) return std::move(found.front());
    if (found.empty())
      return fail(ErrorKind::usage, fmt::format("no run '{}' in {}; `bisect-run runs` lists them",
                                                id_or_prefix, impl_->file.string()));
    return fail(ErrorKind::usage,
                fmt::format("'{}' could be {} runs, {} and {} among them; write more of its name",
                            id_or_prefix, found.size(), found.front().id, found.back().id));
  });
}

Result<std::vector<RunRecord>> Store::runs() const {
  return guarded(impl_->file, "reading the runs", [&]() {
    Query query(*impl_->main, (std::string(kRunColumns) + "ORDER BY number").c_str());
    return records_from(std::move(query), impl_->locks);
  });
}

Result<RunRecord> Store::last_run() const {
  return guarded(impl_->file, "reading the last run", [&]() -> Result<RunRecord> {
    Query query(*impl_->main, (std::string(kRunColumns) + "ORDER BY number DESC LIMIT 1").c_str());
    BR_TRY_ASSIGN(auto found, records_from(std::move(query), impl_->locks));
    if (found.empty())
      return fail(ErrorKind::usage, fmt::format("no run in {} yet", impl_->file.string()));
    return std::move(found.front());
  });
}

Result<RunRecord> Store::last_run(RunKind kind, bool unfinished) const {
  return guarded(impl_->file, "reading the last run", [&]() -> Result<RunRecord> {
    Query query(*impl_->main,
                (std::string(kRunColumns) + "WHERE kind = ? ORDER BY number DESC").c_str(),
                to_string(kind));
    while (query.next()) {
      BR_TRY_ASSIGN(auto record, record_from(query, impl_->locks));
      if (!unfinished || can_be_resumed(record)) return record;
    }
    return fail(ErrorKind::usage,
                fmt::format("no {} run {} in {}; `bisect-run runs` lists all", to_string(kind),
                            unfinished ? "to resume" : "yet", impl_->file.string()));
  });
}

}  // namespace bisect_run::store
