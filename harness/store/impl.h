#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "store/database.h"
#include "store/query.h"
#include "store/run_lock.h"
#include "store/store.h"

namespace bisect_run::store {

/// Private to the store_*.cpp files.
struct Store::Impl {
  explicit Impl(std::filesystem::path path) : file(std::move(path)), locks(file) {}

  std::filesystem::path file;
  DatabaseHandle main;   ///< everything that must survive the loss of power; all reading
  DatabaseHandle quick;  ///< single samples and handshakes; null when read only
  std::optional<Query> insert_sample;
  RunLocks locks;
  std::map<std::string, std::int64_t> claimed;  ///< id of a run to its number
  std::set<std::int64_t> open_boots;
  std::map<std::pair<std::string, std::string>, std::int64_t> metrics;

  /// The number of a claimed run. Errors: bug.
  Result<std::int64_t> writable(const std::string& run) const;
  /// The number of any run, by its whole id. Errors: usage.
  Result<std::int64_t> number_of(std::string_view run);
  /// The row of a kernel, made if it is not there; to be called within a transaction.
  std::int64_t kernel_row(std::int64_t run, const KernelSpec& spec);
  std::int64_t metric_row(const std::string& name, const std::string& unit);
};

/// Seconds since the epoch.
double wall_clock();

}  // namespace bisect_run::store
