#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernel/derivation.h"
#include "model/error.h"
#include "model/kernel.h"
#include "model/remedy.h"

namespace bisect_run::kernel {

/// What all remedies of one tree add up to. `{remedies}` still stands in the values.
struct Treatment {
  std::map<std::string, std::vector<std::string>> flags;  ///< added to make variables
  std::vector<std::string> make_variables;                ///< NAME=value
  std::vector<ConfigLine> config;
  std::vector<std::string> boot_args;
  std::vector<std::string> patches;
  std::vector<AppliedRemedy> applied;
};

/// Joins the remedies whose names are in `fitting`, in their own order. Error: skip_build where a
/// tree lacks what one of them derives from it.
Result<Treatment> treat(const std::vector<Remedy>& remedies,
                        const std::set<std::string, std::less<>>& fitting, const Words& derived);

/// Make variables where each of `flags` is added to what `variables` or `commands` give the same
/// name, or else stands alone: a later NAME=value would take it away.
std::vector<std::string> with_flags(std::vector<std::string> variables,
                                    const std::map<std::string, std::vector<std::string>>& flags);

/// `text` with the directory in the place of `{remedies}`.
std::string with_directory(std::string text, std::string_view directory);

/// What to say of a failed build whose output shows the symptom of a remedy: that it was applied
/// already, or why it was not. Empty where no symptom is known.
std::string explain(std::string_view log, const std::vector<Remedy>& remedies,
                    const std::vector<AppliedRemedy>& applied);

}  // namespace bisect_run::kernel
