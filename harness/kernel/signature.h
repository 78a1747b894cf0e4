#pragma once

#include <string>
#include <string_view>

#include "model/error.h"

namespace bisect_run::kernel {

struct VmlinuxIdentity {
  /// Digest of what is in memory when the kernel runs, without the notes (they hold the build id,
  /// which hashes debug and symbol names too) and without __bug_table (source line numbers, with
  /// DEBUG_BUGVERBOSE). Equal signatures: the same kernel. The reverse does not hold: code that
  /// prints __LINE__ (ASSERT_RTNL) changes with every line above it. That costs boots, no truth.
  std::string signature;
  std::string build_id;  ///< GNU build id, lower-case hex
};

/// From the bytes of a vmlinux. Error: infra if the file is damaged or has no build id.
Result<VmlinuxIdentity> identify(std::string_view vmlinux);

}  // namespace bisect_run::kernel
