#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/machine.h"
#include "report/facts.h"

namespace bisect_run::report {

/// The command that measures one kernel again: `bisect-run scenario NAME KERNEL@VARIANT …`, each
/// line but the first indented by `indent`, with backslashes where a line is full.
std::string repeat_command(const RunFacts& run, std::string_view kernel, std::string_view variant,
                           std::string_view metric, const Machine& machine, std::size_t indent);

/// `bisect-run compare OID~1 OID …`: a commit beside its first parent.
std::string compare_command(const RunFacts& run, std::string_view oid, std::string_view variant,
                            std::string_view metric, const Machine& machine);
/// The whole comparison again.
std::string compare_command(const RunFacts& run, const ComparisonFacts& facts);
/// The whole bisect again, without its repository.
std::string bisect_command(const BisectFacts& facts);

/// `text` as one word for a shell, in quotes where it needs them.
std::string shell_word(std::string_view text);
/// The same, always in quotes, as git writes it.
std::string shell_quoted(std::string_view text);

}  // namespace bisect_run::report
