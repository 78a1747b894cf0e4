#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

// The thin wrapper through which this room speaks to SQLite. Everything here may throw
// SQLite::Exception; sqlite_error.h turns that into an Error at the room's edge.

namespace SQLite {
class Database;
class Statement;
}  // namespace SQLite

namespace bisect_run::store {

/// One prepared statement with its parameters.
class Query {
 public:
  template <class... Values>
  Query(SQLite::Database& database, const char* sql, const Values&... values)
      : Query(database, sql, Prepared{}) {
    bind_all(values...);
  }
  ~Query();
  Query(Query&&) noexcept;

  /// Binds anew and runs a statement that returns no rows.
  template <class... Values>
  void run_with(const Values&... values) {
    reset();
    bind_all(values...);
    run();
  }
  void run();
  /// Moves to the next row; false after the last one.
  bool next();

  // Columns of the current row, from 0; null reads as empty, 0 or false.
  std::string text(int column) const;
  std::int64_t integer(int column) const;
  int small(int column) const { return static_cast<int>(integer(column)); }
  double real(int column) const;
  std::optional<std::string> text_or_null(int column) const;
  std::optional<std::int64_t> integer_or_null(int column) const;
  std::optional<double> real_or_null(int column) const;

 private:
  struct Prepared {};
  Query(SQLite::Database& database, const char* sql, Prepared);

  template <class... Values>
  void bind_all(const Values&... values) {
    int index = 0;
    (bind(++index, values), ...);
  }
  void reset();
  void bind(int index, int value);
  void bind(int index, std::int64_t value);
  void bind(int index, double value);
  void bind(int index, std::string_view value);
  void bind(int index, const std::string& value) { bind(index, std::string_view(value)); }
  void bind(int index, const char* value) { bind(index, std::string_view(value)); }
  void bind(int index, bool value) { bind(index, value ? 1 : 0); }
  void bind_null(int index);
  template <class Value>
  void bind(int index, const std::optional<Value>& value) {
    value ? bind(index, *value) : bind_null(index);
  }

  std::unique_ptr<SQLite::Statement> statement_;
};

/// All or nothing; undone unless committed.
class Transaction {
 public:
  enum class Kind { read, write };
  Transaction(SQLite::Database& database, Kind kind);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  SQLite::Database& database_;
  bool open_ = true;
};

std::int64_t last_insert_id(const SQLite::Database& database);

}  // namespace bisect_run::store
