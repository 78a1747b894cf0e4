#pragma once

#include <functional>
#include <string>

#include "model/error.h"
#include "model/kernel.h"

namespace bisect_run::cli {

/// What a SPEC is read against.
struct SpecContext {
  std::function<Result<Oid>(const std::string& revision)> resolve;
  std::function<Result<Patch>(const std::string& file_or_revision)> patch;
  std::function<bool(const std::string&)> is_patch;  ///< an existing file, or a commit to pick
  std::function<bool(const std::string&)> is_variant;
  std::string default_variant;
};

/// Reads `REV[+PATCH…][@VARIANT]`. The whole string is tried as a revision first, so that tags
/// with `+` and `HEAD@{1}` work; `@X` is split off only where X is a declared variant, `+X` only
/// where X is an existing file or a commit.
/// Errors: usage, naming the part that is not known.
Result<KernelSpec> read_spec(const std::string& text, const SpecContext& context);

}  // namespace bisect_run::cli
