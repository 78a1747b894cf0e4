#include "store/query.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace bisect_run::store {

Query::Query(SQLite::Database& database, const char* sql, Prepared)
    : statement_(std::make_unique<SQLite::Statement>(database, sql)) {}
Query::~Query() = default;
Query::Query(Query&&) noexcept = default;

void Query::run() {
  statement_->exec();
  statement_->reset();
}

bool Query::next() {
  return statement_->executeStep();
}
void Query::reset() {
  // After a failed step SQLite reports that failure once more here; it has been told already.
  (void)statement_->tryReset();
}

void Query::bind(int index, int value) {
  statement_->bind(index, value);
}
void Query::bind(int index, std::int64_t value) {
  statement_->bind(index, value);
}
void Query::bind(int index, double value) {
  statement_->bind(index, value);
}
void Query::bind(int index, std::string_view value) {
  statement_->bind(index, std::string(value));
}
void Query::bind_null(int index) {
  statement_->bind(index);
}

std::string Query::text(int column) const {
  return statement_->getColumn(column).getString();
}
std::int64_t Query::integer(int column) const {
  return statement_->getColumn(column).getInt64();
}
double Query::real(int column) const {
  return statement_->getColumn(column).getDouble();
}

std::optional<std::string> Query::text_or_null(int column) const {
  if (statement_->isColumnNull(column)) return std::nullopt;
  return text(column);
}
std::optional<std::int64_t> Query::integer_or_null(int column) const {
  if (statement_->isColumnNull(column)) return std::nullopt;
  return integer(column);
}
std::optional<double> Query::real_or_null(int column) const {
  if (statement_->isColumnNull(column)) return std::nullopt;
  return real(column);
}

Transaction::Transaction(SQLite::Database& database, Kind kind) : database_(database) {
  // A writer asks for the lock at once: asking later, after a read, fails without waiting.
  database_.exec(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.exec("ROLLBACK");
  } catch (const std::exception&) {
    // SQLite has rolled back by itself, as it does when the disk is full.
  }
}

void Transaction::commit() {
  database_.exec("COMMIT");
  open_ = false;
}

std::int64_t last_insert_id(const SQLite::Database& database) {
  return database.getLastInsertRowid();
}

}  // namespace bisect_run::store
