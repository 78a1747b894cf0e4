#pragma once

#include <functional>
#include <optional>
#include <string>

#include "model/error.h"
#include "model/kernel.h"

namespace bisect_run::cli {

/// What a SPEC is read against.
struct SpecContext {
  std::function<Result<Oid>(const std::string& revision)> resolve;
  /// The kernel of kernels.yaml with this name, its variant empty where it has none; nothing where
  /// there is none. Errors: a name whose revision or patches are not to be had.
  std::function<Result<std::optional<KernelSpec>>(const std::string& name)> named;
  std::function<Result<Patch>(const std::string& file_or_revision)> patch;
  std::function<bool(const std::string&)> is_patch;  ///< an existing file, or a commit to pick
  std::function<bool(const std::string&)> is_variant;
  /// The second variant, and what the first says of axes that the second does not name.
  std::function<Result<std::string>(const std::string& base, const std::string& over)> over;
  std::string default_variant;
};

/// Reads `REV[+PATCH…][@VARIANT]`, where a named kernel is good as REV. The whole string is tried
/// first, as a name and then as a revision, so that tags with `+` and `HEAD@{1}` work; `@X` is
/// split off only where X is a variant, `+X` only where X is an existing file or a commit. A named
/// kernel's patches come before those typed behind it.
/// Errors: usage, naming the part that is not known.
Result<KernelSpec> read_spec(const std::string& text, const SpecContext& context);

}  // namespace bisect_run::cli
