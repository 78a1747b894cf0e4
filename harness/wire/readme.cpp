#include "wire/readme.h"

#include "wire/operations.h"

namespace bisect_run::wire {
namespace {

constexpr const char* kIntroduction = R"(# Scenarios

One YAML file each. `bisect-run scenario NAME REV` runs one on a kernel, `bisect-run scenario NAME
--here` on this machine's own kernel in fresh namespaces. This page is made from the table that
checks the files and runs the operations: change that table (`harness/wire/*_rows.cpp`), not this
page.

## A scenario of your own

Put a file here, named as the scenario in it, or anywhere else, and name it by its path
(`bisect-run scenario ./dummies.yaml REV`). No code has to change. One hundred dummies with an
address each, deleted by group in one request:

```yaml
name: dummies
summary: one hundred dummies, an address each, deleted as a group
modes: [direct, process]
default-metric: dummy.create
wait-bound: false
marks: [100]
chunks: 9
repetitions: 1
workloads:
  - name: dummy
    loops:
      - metric: dummy.create
        marks: default
        each:
          - link_add: {kind: dummy, prefix: d, group: 7}
      - metric: dummy.addr
        marks: default
        each:
          - address_add: {prefix: d}
      - metric: dummy.delete
        count: 1
        each:
          - link_delete_group: {group: 7}
```

| key | meaning |
|---|---|
| `name` | the file's name without `.yaml` |
| `summary` | one line for lists |
| `modes` | how operations run; the first is the default: `process` starts the real program `ip`, `fork` makes the same system calls in a child, `direct` makes them in the agent. Three different measurements, never compared with each other |
| `default-metric` | what decides a bisection unless asked otherwise |
| `wait-bound` | `true`: it measures waiting for grace periods, which one vCPU may hide |
| `marks` | default marks: numbers of items, ascending |
| `chunks` | samples per mark interval: near-equal shares of its items |
| `repetitions` | of each workload within a boot |
| `workloads` | each starts from an empty, drained guest; `name`, and lists of steps `setup` and `teardown`, which run once, around `loops` |

A loop has a `metric`, unique in the file; `marks: default`, a list of marks, or `count: N` for N
items that make one sample; and `each`: the steps of one item. Item i works on the objects with
number i, counted from 0: prefix `ns` gives `ns0`, `ns1` and so on. `setup` and `teardown` are item
0; where an operation has `count`, one item stands for that many objects.

A step is `operation` or `operation: {parameter: value}`. A text is a name: letters, digits and
`.` `_` `-`.

Rates are items per second, higher is better. A mark's rate covers the items since the mark before.
An operation's own metrics are named after the loop: `atomic.4` reports `atomic.4.cycles`. What a
guest cannot count is null, shown as `<not supported>`.

## Operations
)";

std::string text_of(const ParameterValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  const auto& text = std::get<std::string>(value);
  return text.empty() ? "nothing" : '`' + text + '`';
}

std::string listed(const std::vector<std::string_view>& words) {
  std::string list;
  for (const auto word : words) list += (list.empty() ? "`" : ", `") + std::string(word) + '`';
  return list;
}

std::string values_of(const ParameterSpec& spec) {
  const std::string range = std::to_string(spec.minimum) + " to " + std::to_string(spec.maximum);
  switch (spec.type) {
    case ParameterType::integer:
      return range;
    case ParameterType::boolean:
      return "true, false";
    case ParameterType::text:
      return "name, " + range + " bytes";
    case ParameterType::choice:
      return listed(spec.choices);
  }
  return {};
}

std::string section_of(const OperationSpec& spec) {
  std::string text = "\n### `" + std::string(spec.name) + "`\n\n" + std::string(spec.meaning) +
                     " Modes: " + listed(spec.modes) + '.';
  if (!spec.outputs.empty()) text += " Own metrics: " + listed(spec.outputs) + '.';
  text += '\n';
  if (spec.parameters.empty()) return text;
  text += "\n| parameter | values | default | meaning |\n|---|---|---|---|\n";
  for (const ParameterSpec& parameter : spec.parameters)
    text += "| `" + std::string(parameter.name) + "` | " + values_of(parameter) + " | " +
            (parameter.required ? "required" : text_of(parameter.fallback)) + " | " +
            std::string(parameter.meaning) + " |\n";
  return text;
}

}  // namespace

std::string scenarios_readme() {
  std::string text = kIntroduction;
  for (const OperationSpec& spec : operations()) text += section_of(spec);
  return text;
}

}  // namespace bisect_run::wire
