#include "wire/operations.h"

#include <algorithm>
#include <cctype>

#include "wire/operation_rows.h"

namespace bisect_run::wire {
namespace {

std::vector<OperationSpec> all_rows() {
  std::vector<OperationSpec> rows;
  for (auto part : {netns_rows(), link_rows(), traffic_rows()})
    std::ranges::move(part, std::back_inserter(rows));
  return rows;
}

std::string quoted(std::string_view word) {
  return "'" + std::string(word) + "'";
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view near = nearest(word, known);
  return near.empty() ? std::string() : "; did you mean " + quoted(near) + "?";
}

std::string listed(std::span<const std::string_view> words) {
  std::string list;
  for (const std::string_view word : words) list += (list.empty() ? "" : ", ") + std::string(word);
  return list;
}

bool is_name(std::string_view text) {
  return std::ranges::all_of(
      text, [](unsigned char c) { return std::isalnum(c) || c == '.' || c == '_' || c == '-'; });
}

bool within(std::int64_t number, const ParameterSpec& spec) {
  return number >= spec.minimum && number <= spec.maximum;
}

std::string limits(const ParameterSpec& spec) {
  return std::to_string(spec.minimum) + " to " + std::to_string(spec.maximum);
}

/// What is wrong with a value, or nothing.
std::optional<std::string> value_fault(const ParameterValue& value, const ParameterSpec& spec) {
  const auto* text = std::get_if<std::string>(&value);
  switch (spec.type) {
    case ParameterType::integer:
      if (const auto* number = std::get_if<std::int64_t>(&value); number && within(*number, spec))
        return std::nullopt;
      return "must be an integer from " + limits(spec);
    case ParameterType::boolean:
      if (std::holds_alternative<bool>(value)) return std::nullopt;
      return "must be true or false";
    case ParameterType::text:
      if (text && within(static_cast<std::int64_t>(text->size()), spec) && is_name(*text))
        return std::nullopt;
      return "must be a name of " + limits(spec) + " letters, digits or . _ -";
    case ParameterType::choice:
      if (text && std::ranges::find(spec.choices, *text) != spec.choices.end()) return std::nullopt;
      return "must be one of: " + listed(spec.choices) +
             (text ? did_you_mean(*text, spec.choices) : std::string());
  }
  return "has a type this program does not know";
}

std::optional<StepFault> unknown_parameter(const Step& step, const OperationSpec& spec) {
  std::vector<std::string_view> known;
  for (const ParameterSpec& parameter : spec.parameters) known.push_back(parameter.name);
  for (const auto& [name, value] : step.parameters) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const std::string has = known.empty() ? "it has none" : "it has: " + listed(known);
    return StepFault{name, quoted(step.op) + " has no parameter " + quoted(name) + "; " + has +
                               did_you_mean(name, known)};
  }
  return std::nullopt;
}

/// Levenshtein distance, a swap of neighbours counting one.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

bool OperationSpec::supports(std::string_view mode) const {
  return std::ranges::find(modes, mode) != modes.end();
}

std::string output_metric(std::string_view loop_metric, std::string_view output) {
  return std::string(loop_metric) + '.' + std::string(output);
}

std::span<const OperationSpec> operations() {
  static const std::vector<OperationSpec> rows = all_rows();
  return rows;
}

const OperationSpec* find_operation(std::string_view name) {
  for (const OperationSpec& spec : operations())
    if (spec.name == name) return &spec;
  return nullptr;
}

std::optional<StepFault> complete(Step& step) {
  const OperationSpec* spec = find_operation(step.op);
  if (!spec) {
    std::vector<std::string_view> known;
    for (const OperationSpec& row : operations()) known.push_back(row.name);
    return StepFault{"", "unknown operation " + quoted(step.op) + did_you_mean(step.op, known)};
  }
  if (auto fault = unknown_parameter(step, *spec)) return fault;
  for (const ParameterSpec& parameter : spec->parameters) {
    const std::string name(parameter.name);
    const auto given = step.parameters.find(name);
    if (given == step.parameters.end()) {
      if (parameter.required)
        return StepFault{name, quoted(step.op) + " needs the parameter " + quoted(name) + ": " +
                                   std::string(parameter.meaning)};
      step.parameters.emplace(name, parameter.fallback);
    } else if (auto fault = value_fault(given->second, parameter)) {
      return StepFault{name, quoted(name) + " of " + quoted(step.op) + " " + *fault};
    }
  }
  return std::nullopt;
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
  if (word.size() > 128) return {};  // no spelling mistake, and the distance is quadratic
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : known)
    if (const std::size_t d = distance(word, candidate); d < least) {
      least = d;
      best = candidate;
    }
  return best;
}

}  // namespace bisect_run::wire
