#include "store/store.h"

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>

#include <chrono>

#include "model/spec_key.h"
#include "model/try.h"
#include "store/impl.h"
#include "store/json.h"

namespace bisect_run::store {

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Result<Store> Store::open(const std::filesystem::path& file, std::chrono::milliseconds patience) {
  auto impl = std::make_unique<Impl>(file);
  BR_TRY_ASSIGN(impl->main, open_for_writing(file, patience));
  BR_TRY_ASSIGN(impl->quick, open_again(file, Durability::process, patience));
  return Store(std::move(impl));
}

Result<Store> Store::open_read_only(const std::filesystem::path& file,
                                    std::chrono::milliseconds patience) {
  auto impl = std::make_unique<Impl>(file);
  BR_TRY_ASSIGN(impl->main, open_for_reading(file, patience));
  return Store(std::move(impl));
}

Result<std::int64_t> Store::Impl::writable(const std::string& run) const {
  const auto found = claimed.find(run);
  if (found == claimed.end())
    return fail(ErrorKind::bug,
                fmt::format("run {} was not claimed before it was written to", run));
  return found->second;
}

Result<std::int64_t> Store::Impl::number_of(std::string_view run) {
  Query query(*main, "SELECT number FROM run WHERE id = ?", run);
  if (!query.next())
    return fail(ErrorKind::usage, fmt::format("no run '{}' in {}", run, file.string()));
  return query.integer(0);
}

std::int64_t Store::Impl::kernel_row(std::int64_t run, const KernelSpec& spec) {
  const auto key = spec_key(spec);
  Query(*main,
        "INSERT OR IGNORE INTO kernel (run, key, oid, variant, spec_json) VALUES (?,?,?,?,?)", run,
        key, spec.commit.hex, spec.variant, to_json(spec))
      .run();
  Query row(*main, "SELECT id FROM kernel WHERE run = ? AND key = ?", run, key);
  row.next();
  return row.integer(0);
}

std::int64_t Store::Impl::metric_row(const std::string& name, const std::string& unit) {
  const auto known = metrics.find({name, unit});
  if (known != metrics.end()) return known->second;
  Query(*quick, "INSERT OR IGNORE INTO metric (name, unit) VALUES (?,?)", name, unit).run();
  Query row(*quick, "SELECT id FROM metric WHERE name = ? AND unit = ?", name, unit);
  row.next();
  return metrics[{name, unit}] = row.integer(0);
}

double wall_clock() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

}  // namespace bisect_run::store
