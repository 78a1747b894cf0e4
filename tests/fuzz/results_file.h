#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fuzz/fuzz.h"
#include "fuzz/small_results.h"
#include "support/temp_dir.h"

// A results file and what may be done to it.

namespace bisect_run::test {

class ResultsFile {
 public:
  ResultsFile() {
    make_small_results(directory_ / "made.db");
    loosen();
    bytes_ = read_file(directory_ / "loose.db");
  }

  /// A copy with the changes that the input asks for.
  std::filesystem::path changed(Bytes& bytes) const {
    const auto file = directory_ / "changed.db";
    for (const char* side : {"", "-wal", "-shm", "-journal"}) {
      std::error_code ignored;
      std::filesystem::remove(file.string() + side, ignored);
    }
    write_file(file, bytes_);
    const bool raw = bytes.byte() % 8 == 7;
    if (raw)
      overwrite(file, bytes);
    else
      change_rows(file, bytes);
    return file;
  }

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
  };
  using Handle = std::unique_ptr<sqlite3, Close>;

  struct Column {
    std::string table, name;
    bool json = false;
  };

  static Handle open(const std::filesystem::path& file) {
    sqlite3* database = nullptr;
    require(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
    Handle handle(database);
    sqlite3_exec(database, "PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY", nullptr, nullptr,
                 nullptr);
    return handle;
  }

  /// Rows of texts. What fails changes nothing.
  static std::vector<std::vector<std::string>> ask(sqlite3* database, const std::string& sql) {
    std::vector<std::vector<std::string>> rows;
    sqlite3_exec(
        database, sql.c_str(),
        [](void* all, int count, char** values, char**) {
          auto& row = static_cast<decltype(rows)*>(all)->emplace_back();
          for (int i = 0; i < count; ++i) row.emplace_back(values[i] ? values[i] : "");
          return 0;
        },
        &rows, nullptr);
    return rows;
  }

  /// The same tables without types, keys and checks.
  void loosen() {
    const auto database = open(directory_ / "loose.db");
    const auto from = (directory_ / "made.db").string();
    ask(database.get(), "ATTACH '" + from + "' AS made");
    for (const auto& table :
         ask(database.get(), "SELECT name FROM made.sqlite_schema WHERE type = 'table'")) {
      ask(database.get(), "CREATE TABLE " + table[0] + " AS SELECT * FROM made." + table[0]);
      for (const auto& column :
           ask(database.get(), "SELECT name FROM pragma_table_info('" + table[0] + "')"))
        columns_.push_back({table[0], column[0], column[0].ends_with("_json")});
    }
    for (const std::string pragma : {"application_id", "user_version"})
      ask(database.get(),
          "PRAGMA " + pragma + " = " + ask(database.get(), "PRAGMA made." + pragma).at(0).at(0));
    require(columns_.size() > 60);
  }

  static std::string quoted(std::string_view text) {
    std::string sql = "CAST(x'";
    for (const unsigned char byte : text) {
      sql += "0123456789abcdef"[byte >> 4];
      sql += "0123456789abcdef"[byte & 15];
    }
    return sql + "' AS TEXT)";
  }

  /// Any value, as SQL.
  static std::string some_value(Bytes& bytes) {
    switch (bytes.below(9)) {
      case 0:
        return "NULL";
      case 1:
        return std::to_string(bytes.integer());
      case 2:
        return "1e999 * " + std::to_string(bytes.byte()) + " - 1e9";
      case 3:
        return std::to_string(bytes.byte()) + ".5e" + std::to_string(bytes.byte());
      case 4:
        return "zeroblob(" + std::to_string(bytes.byte() * 1000) + ")";
      case 5:
        return "printf('%.*c', " + std::to_string(bytes.byte() * 1000) + ", 'x')";
      case 6:
        return "-1e999";
      default:
        return quoted(bytes.text(bytes.below(64)));
    }
  }

  static nlohmann::json some_json(Bytes& bytes) {
    switch (bytes.below(8)) {
      case 0:
        return nullptr;
      case 1:
        return bytes.integer();
      case 2:
        return bytes.number(0);
      case 3:
        return nlohmann::json::array();
      case 4:
        return nlohmann::json::object();
      case 5:
        return nlohmann::json::array({bytes.integer(), "x", nullptr});
      case 6:
        return {{"hex", bytes.text(bytes.below(16))}};
      default:
        return bytes.text(bytes.below(32));
    }
  }

  /// Replaces, removes or doubles one node of a JSON text.
  static std::string changed_json(const std::string& text, Bytes& bytes) {
    auto json = nlohmann::json::parse(text, nullptr, false);
    if (json.is_discarded()) return text;
    auto* node = &json;
    for (auto deep = bytes.below(8); deep > 0 && node->is_structured() && !node->empty(); --deep)
      node = &*std::next(node->begin(), static_cast<std::ptrdiff_t>(bytes.below(node->size())));
    if (bytes.byte() % 4 == 0 && node->is_structured() && !node->empty()) {
      const auto at = static_cast<std::ptrdiff_t>(bytes.below(node->size()));
      if (node->is_array() && bytes.byte() % 2 == 0)
        node->push_back(*std::next(node->begin(), at));
      else
        node->erase(std::next(node->begin(), at));
    } else {
      *node = some_json(bytes);
    }
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  std::string statement(sqlite3* database, Bytes& bytes) const {
    const auto& column = columns_[bytes.below(columns_.size())];
    const auto row = std::to_string(1 + bytes.below(16));
    const auto where = " WHERE rowid = " + row;
    const auto set = "UPDATE " + column.table + " SET " + column.name + " = ";
    switch (bytes.below(16)) {
      case 0:
        return "DELETE FROM " + column.table + where;
      case 1:
        return "INSERT INTO " + column.table + " SELECT * FROM " + column.table + where;
      case 2:
        return "DROP TABLE " + column.table;
      case 3:
        return "ALTER TABLE " + column.table + " DROP COLUMN " + column.name;
      case 4:
        return "ALTER TABLE " + column.table + " RENAME TO old; CREATE VIEW " + column.table +
               " AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
               " SELECT old.* FROM n, old";
      case 5:
        return "CREATE TRIGGER t AFTER UPDATE ON run BEGIN DELETE FROM boot; END";
      case 6:
        return "ALTER TABLE " + column.table + " ADD COLUMN computed AS (hex(zeroblob(1000000)))";
      case 7:
        return "PRAGMA user_version = " + std::to_string(bytes.integer());
      case 8:
        return set + quoted(bytes.text(bytes.below(8))) + " || " + column.name + where;
      case 9:
        return set + some_value(bytes);  // of all rows
      case 10:
      case 11:
      case 12:
        return json_statement(database, bytes, row);
      default:
        return set + some_value(bytes) + where;
    }
  }

  std::string json_statement(sqlite3* database, Bytes& bytes, const std::string& row) const {
    std::vector<Column> of_json;
    for (const auto& column : columns_)
      if (column.json) of_json.push_back(column);
    const auto& column = of_json[bytes.below(of_json.size())];
    const auto where = " FROM " + column.table + " WHERE rowid = " + row;
    const auto found = ask(database, "SELECT " + column.name + where);
    if (found.empty()) return "SELECT 1";
    return "UPDATE " + column.table + " SET " + column.name + " = " +
           quoted(changed_json(found[0][0], bytes)) + " WHERE rowid = " + row;
  }

  void change_rows(const std::filesystem::path& file, Bytes& bytes) const {
    const auto database = open(file);
    for (int changes = 0; changes < 8 && !bytes.empty(); ++changes)
      ask(database.get(), statement(database.get(), bytes));
  }

  static void overwrite(const std::filesystem::path& file, Bytes& bytes) {
    const auto size = std::filesystem::file_size(file);
    {
      std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
      for (int changes = 0; changes < 16 && !bytes.empty(); ++changes) {
        // The first page holds header and schema.
        const auto at = bytes.byte() % 4 == 0 ? bytes.bits(1) * 4 : bytes.bits(3) % size;
        out.seekp(static_cast<std::streamoff>(at));
        const auto part = bytes.text(1 + bytes.below(8));
        out.write(part.data(), static_cast<std::streamsize>(part.size()));
      }
    }
    if (bytes.byte() == 255) std::filesystem::resize_file(file, bytes.bits(3) % size);
  }

  TempDir directory_;
  std::string bytes_;
  std::vector<Column> columns_;
};

}  // namespace bisect_run::test
