#pragma once

#include <vector>

#include "config/cursor.h"
#include "model/remedy.h"

namespace bisect_run::config {

/// Reads a `when` list. Each item is one of
///   {exists: FILE}  {absent: FILE}  {file: FILE, has: REGEX}  {file: FILE, lacks: REGEX}
///   {contains: COMMIT}  {contains-not: COMMIT}
Result<std::vector<TreeQuestion>> tree_questions(const Cursor& list);

/// A regular expression (ECMAScript) that compiles.
Result<std::string> regular_expression(const Cursor& value);

/// An object name, whole or at least 12 digits of it.
Result<std::string> commit_name(const Cursor& value);

}  // namespace bisect_run::config
