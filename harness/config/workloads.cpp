#include "config/workloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "config/steps.h"
#include "model/try.h"
#include "wire/limits.h"

namespace bisect_run::config {
namespace {

/// More items than any guest makes in the lifetime of a boot.
constexpr std::int64_t kMostItems = 1'000'000'000;

/// Reads workloads one after the other and remembers the names that are taken.
class WorkloadReader {
 public:
  explicit WorkloadReader(const WorkloadContext& context) : context_(context) {}

  Result<wire::Workload> workload(const Cursor& item) {
    BR_TRY_ASSIGN(const auto fields, item.fields({"name", "setup", "loops", "teardown"}));
    wire::Workload made;
    BR_TRY_ASSIGN(const auto name, fields.require("name"));
    BR_TRY_ASSIGN(made.name, unique(name, names_));
    BR_TRY_ASSIGN(made.setup, optional_steps(fields, "setup"));
    BR_TRY_ASSIGN(const auto loops, fields.require("loops"));
    BR_TRY_ASSIGN(const auto items, loops.list());
    if (items.empty())
      return std::unexpected(loops.fault("no loop; a workload measures one at least"));
    if (items.size() > wire::kMaxLoops)
      return std::unexpected(loops.fault(fmt::format("more than {} loops", wire::kMaxLoops)));
    for (const Cursor& each : items) {
      BR_TRY_ASSIGN(auto made_loop, loop(each));
      made.loops.push_back(std::move(made_loop));
    }
    BR_TRY_ASSIGN(made.teardown, optional_steps(fields, "teardown"));
    return made;
  }

  bool default_marks_used() const { return default_marks_used_; }

 private:
  static Result<std::string> unique(const Cursor& value, std::set<std::string>& taken) {
    BR_TRY_ASSIGN(std::string text, value.text(wire::kMaxName));
    if (!taken.insert(text).second)
      return std::unexpected(
          value.fault(fmt::format("'{}' is taken already; choose another", text)));
    return text;
  }

  Result<std::vector<wire::Step>> optional_steps(const Fields& fields, std::string_view name) {
    const auto list = fields.find(name);
    if (!list) return std::vector<wire::Step>{};
    return step_list(*list, context_.modes);
  }

  Result<wire::Loop> loop(const Cursor& item) {
    BR_TRY_ASSIGN(const auto fields, item.fields({"metric", "marks", "count", "each"}));
    wire::Loop made;
    BR_TRY_ASSIGN(const auto metric, fields.require("metric"));
    BR_TRY_ASSIGN(made.metric, unique(metric, metrics_));
    const auto marks = fields.find("marks"), count = fields.find("count");
    if (marks.has_value() == count.has_value())
      return std::unexpected(item.fault("a loop has either `marks` or `count`, and one of them"));
    if (marks) {
      BR_TRY_ASSIGN(made.marks, loop_marks(*marks));
    } else {
      BR_TRY_ASSIGN(made.count, count->integer(1, kMostItems));
    }
    BR_TRY_ASSIGN(const auto each, fields.require("each"));
    BR_TRY_ASSIGN(made.each, step_list(each, context_.modes));
    if (made.each.empty()) return std::unexpected(each.fault("no step; a loop runs one at least"));
    return made;
  }

  Result<std::vector<std::int64_t>> loop_marks(const Cursor& marks) {
    if (marks.node().kind != Node::Kind::scalar) return mark_list(marks);
    if (marks.node().text != "default")
      return std::unexpected(marks.fault("expected `default` or a list such as [250, 500]"));
    if (context_.default_marks.empty())
      return std::unexpected(
          marks.fault("the scenario has no `marks` of its own; add them at its top"));
    default_marks_used_ = true;
    return context_.default_marks;
  }

  const WorkloadContext& context_;
  std::set<std::string> names_, metrics_;
  bool default_marks_used_ = false;
};

}  // namespace

std::string marks_problem(std::span<const std::int64_t> marks) {
  if (marks.empty()) return "no mark; give one at least";
  if (marks.size() > wire::kMaxMarks) return fmt::format("more than {} marks", wire::kMaxMarks);
  std::int64_t before = 0;
  for (const auto mark : marks) {
    if (mark < 1 || mark > kMostItems)
      return fmt::format("mark {} is out of range; from 1 to {}", mark, kMostItems);
    if (mark <= before)
      return fmt::format("mark {} does not come after {}; marks ascend", mark, before);
    before = mark;
  }
  return {};
}

Result<std::vector<std::int64_t>> mark_list(const Cursor& list) {
  BR_TRY_ASSIGN(const auto items, list.list());
  std::vector<std::int64_t> marks;
  for (const Cursor& item : items) {
    BR_TRY_ASSIGN(const auto mark, item.integer(1, kMostItems));
    marks.push_back(mark);
  }
  if (const auto problem = marks_problem(marks); !problem.empty())
    return std::unexpected(list.fault(problem));
  return marks;
}

Result<ReadWorkloads> workload_list(const Cursor& list, const WorkloadContext& context) {
  BR_TRY_ASSIGN(const auto items, list.list());
  if (items.empty()) return std::unexpected(list.fault("no workload; a scenario has one at least"));
  WorkloadReader reader(context);
  ReadWorkloads read;
  for (const Cursor& item : items) {
    BR_TRY_ASSIGN(auto workload, reader.workload(item));
    read.workloads.push_back(std::move(workload));
  }
  read.default_marks_used = reader.default_marks_used();
  return read;
}

}  // namespace bisect_run::config
