#include "config/steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "model/try.h"
#include "wire/limits.h"
#include "wire/operations.h"

namespace bisect_run::config {
namespace {

/// What a plain scalar means by its look; quotes always make a text.
wire::ParameterValue guess(const Node& node) {
  if (!node.quoted) {
    if (node.text == "true") return true;
    if (node.text == "false") return false;
    std::int64_t number = 0;
    const char* last = node.text.data() + node.text.size();
    const auto [end, error] = std::from_chars(node.text.data(), last, number);
    if (error == std::errc{} && end == last && !node.text.empty()) return number;
  }
  return node.text;
}

const wire::ParameterSpec* parameter_of(std::string_view operation, std::string_view name) {
  const auto* spec = wire::find_operation(operation);
  if (spec == nullptr) return nullptr;
  const auto found = std::ranges::find(spec->parameters, name, &wire::ParameterSpec::name);
  return found == spec->parameters.end() ? nullptr : &*found;
}

/// A name may look like a number (`prefix: 7`); where the table wants a text, it is one.
wire::ParameterValue value_for(const Node& node, const wire::ParameterSpec* spec) {
  const bool wants_text = spec != nullptr && (spec->type == wire::ParameterType::text ||
                                              spec->type == wire::ParameterType::choice);
  return wants_text ? wire::ParameterValue(node.text) : guess(node);
}

/// An operation as written, before it is checked, and where its parts stand.
struct Written {
  wire::Step step;
  Key op;
  std::vector<Cursor::Entry> parameters;
};

Status read_parameters(Written& written, const Cursor& map) {
  if (map.node().kind == Node::Kind::null) return {};
  BR_TRY_ASSIGN(written.parameters, map.entries());
  for (const auto& [key, value] : written.parameters) {
    BR_TRY(value.text());
    written.step.parameters.emplace(
        key.text, value_for(value.node(), parameter_of(written.op.text, key.text)));
  }
  return {};
}

Result<Written> read_step(const Cursor& item) {
  Written written;
  if (item.node().kind == Node::Kind::map) {
    BR_TRY_ASSIGN(const auto entries, item.entries());
    if (entries.size() != 1)
      return std::unexpected(item.fault(
          "one operation an item; write `- operation: {parameter: value}`, parameters in braces"));
    written.op = entries[0].key;
    BR_TRY(read_parameters(written, entries[0].value));
  } else {
    BR_TRY_ASSIGN(written.op.text, item.text());
    written.op.at = item.node().at;
  }
  written.step.op = written.op.text;
  return written;
}

/// Where a fault of the table stands in the file: at the parameter's value, at its key if it is
/// unknown, else at the operation.
Error step_error(const Cursor& item, const Written& written, const wire::StepFault& fault) {
  for (const auto& [key, value] : written.parameters)
    if (key.text == fault.parameter)
      return parameter_of(written.op.text, key.text) != nullptr
                 ? value.fault(fault.message)
                 : item.fault_at_key(key, fault.message);
  return item.fault_at_key(written.op, fault.message);
}

Status check_modes(const Cursor& item, const Written& written, std::span<const std::string> modes) {
  const auto* spec = wire::find_operation(written.step.op);
  for (const auto& mode : modes)
    if (std::ranges::find(spec->modes, std::string_view(mode)) == spec->modes.end())
      return std::unexpected(item.fault_at_key(
          written.op,
          fmt::format("'{}' has no mode {}; it has {}: take {} out of the scenario's modes",
                      written.step.op, mode, fmt::join(spec->modes, ", "), mode)));
  return {};
}

}  // namespace

Result<std::vector<wire::Step>> step_list(const Cursor& list, std::span<const std::string> modes) {
  BR_TRY_ASSIGN(const auto items, list.list());
  if (items.size() > wire::kMaxSteps)
    return std::unexpected(
        list.fault(fmt::format("more than {} steps; use `count`", wire::kMaxSteps)));
  std::vector<wire::Step> steps;
  for (const Cursor& item : items) {
    BR_TRY_ASSIGN(Written written, read_step(item));
    if (const auto fault = wire::complete(written.step))
      return std::unexpected(step_error(item, written, *fault));
    BR_TRY(check_modes(item, written, modes));
    steps.push_back(std::move(written.step));
  }
  return steps;
}

}  // namespace bisect_run::config
