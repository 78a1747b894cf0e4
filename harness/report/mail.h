#pragma once

#include <string>

#include "report/facts.h"

namespace bisect_run::report {

/// A text ready for a kernel list: what, how sure and how to repeat it in the first lines, then
/// what was measured and on what, the tables, what was skipped and why. ASCII and at most 78
/// columns, but for the Fixes line and subjects, which keep their letters; a Fixes line is never
/// wrapped. No address of a person, wherever it may come from: `facts.people` alone is printed.
std::string mail_text(const BisectFacts& facts);
std::string mail_text(const ComparisonFacts& facts);

/// `text` with every mail address replaced by `<address>`.
std::string without_addresses(std::string_view text);

/// `text` with `?` for each character that is not ASCII; lines stay lines.
std::string ascii(std::string_view text);

/// `139eff40d297 ("nsproxy: let readers finish")`
std::string fixes_style(const Commit& commit);

}  // namespace bisect_run::report
