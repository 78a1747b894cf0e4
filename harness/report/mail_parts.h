#pragma once

#include <string>

#include "report/facts.h"

// What both kinds of mail say; private to this room.

namespace bisect_run::report {

/// `  name         value`, the value wrapped behind its name; nothing for an empty value.
std::string mail_line(std::string_view name, std::string_view value);
/// A paragraph of at most 78 columns.
std::string mail_prose(std::string_view text);
/// Scenario, machine, host, kernels with their HZ, PREEMPT, NOCB and compiler, and how the
/// configurations differ.
std::string measured_on(const RunFacts& run, const Machine& machine);
/// Everything that leaves this room in a mail goes through here, but for lines that keep a subject.
std::string mail_safe(std::string_view text);

}  // namespace bisect_run::report
