#pragma once

#include <filesystem>

#include "model/error.h"

namespace bisect_run::vm {

struct Swept {
  int roots = 0;      ///< directories of dead controllers removed
  int processes = 0;  ///< QEMUs of theirs that still ran, ended
};

/// Removes what controllers that died (kill -9, power loss) left in `parent`: their embed roots
/// and the QEMUs that belong to them, and nothing else. A root is dead when its lock is free; a
/// QEMU belongs to it when its command line names a path inside it. Roots of other users and of
/// living controllers are left alone. Errors: infra, when something of ours would not go.
Result<Swept> sweep_leftovers(const std::filesystem::path& parent);

}  // namespace bisect_run::vm
