#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"
#include "model/kernel.h"
#include "model/run.h"
#include "model/verdict.h"
#include "store/records.h"

// The nouns that are stored whole, as JSON. Texts keep their bytes: patches and subjects need not
// be UTF-8. Reading back what another version wrote: unknown fields are passed over, missing ones
// keep their defaults; what is no JSON of the noun is infra.

namespace bisect_run::store {

std::string to_json(const RunRequest& request);
std::string to_json(const KernelSpec& spec);
std::string to_json(const Answer& answer);
std::string to_json(const std::vector<std::string>& words);
/// Without the scenario's text, which has a column of its own.
std::string to_json(const Provenance& provenance);

Result<RunRequest> request_from(std::string_view json);
Result<KernelSpec> spec_from(std::string_view json);
Result<Answer> answer_from(std::string_view json);
Result<std::vector<std::string>> words_from(std::string_view json);
Result<Provenance> provenance_from(std::string_view json);

}  // namespace bisect_run::store
