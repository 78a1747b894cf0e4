#pragma once

#include <expected>
#include <utility>

// The two ways to pass a failure on. They exist because libstdc++ 12 has no monadic operations.

/// Leaves the function with the error of `expr` if it has one; otherwise goes on.
#define BR_TRY(expr)                                                              \
  do {                                                                            \
    if (auto br_result = (expr); !br_result)                                      \
      return std::unexpected(std::move(br_result).error());                       \
  } while (false)

#define BR_CONCAT_INNER(a, b) a##b
#define BR_CONCAT(a, b) BR_CONCAT_INNER(a, b)

/// `BR_TRY_ASSIGN(auto x, f())`: x gets the value of f(), or the function returns its error.
#define BR_TRY_ASSIGN(declaration, expr) \
  BR_TRY_ASSIGN_INNER(BR_CONCAT(br_result_, __LINE__), declaration, expr)
#define BR_TRY_ASSIGN_INNER(result, declaration, expr)                       \
  auto result = (expr);                                                      \
  if (!result) return std::unexpected(std::move(result).error());            \
  declaration = std::move(*result)
