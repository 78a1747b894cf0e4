#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace bisect_run {

/// What the bisection must do about a failure; the kind is chosen where the failure is seen.
enum class ErrorKind {
  usage,        ///< the person's input is wrong: message, exit 2
  skip_build,   ///< this kernel does not build: its commit cannot be judged
  skip_boot,    ///< this kernel does not come up
  skip_guest,   ///< it comes up, but cannot finish the scenario or is not what was asked for
  infra,        ///< our own or the host's fault: never votes, run stays resumable, exit 3
  interrupted,  ///< the person or the system stopped us: resumable, exit 130
  bug,          ///< cannot happen; exit 3
};

/// A failure on its way to a person.
struct Error {
  ErrorKind kind = ErrorKind::bug;
  std::string message;  ///< one sentence or two: what failed, where, what to do next
  std::string detail;   ///< for the log: tails of output, library messages; may be empty
};

template <class T>
using Result = std::expected<T, Error>;
using Status = std::expected<void, Error>;

inline std::unexpected<Error> fail(ErrorKind kind, std::string message, std::string detail = {}) {
  return std::unexpected(Error{kind, std::move(message), std::move(detail)});
}

/// The same failure, one layer up: `what: message`.
inline Error in_context(Error error, std::string_view what) {
  error.message = std::string(what) + ": " + error.message;
  return error;
}

/// The stable word for a kind, as stored and printed.
std::string_view to_string(ErrorKind kind);
std::optional<ErrorKind> error_kind_from(std::string_view word);

}  // namespace bisect_run
