#pragma once

#include <filesystem>

#include "model/error.h"

namespace bisect_run::vm {

/// Kills every QEMU whose command line names a path inside an embed root, waits for its end and
/// returns how many there were. Error: infra, when one does not end in 10 s.
Result<int> end_qemus_of(const std::filesystem::path& root);

}  // namespace bisect_run::vm
