#include "cli/context.h"

namespace bisect_run::cli {

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return kUsage;
    case ErrorKind::interrupted:
      return kInterrupted;
    case ErrorKind::skip_build:
    case ErrorKind::skip_boot:
    case ErrorKind::skip_guest:
      return kNoSingleAnswer;
    case ErrorKind::infra:
    case ErrorKind::bug:
      return kInfrastructure;
  }
  return kInfrastructure;
}

}  // namespace bisect_run::cli
