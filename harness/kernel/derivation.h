#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "model/error.h"

namespace bisect_run::kernel {

using Words = std::map<std::string, std::string, std::less<>>;

/// What is computed from a tree for remedies to use, by name. Only what the tree allows:
///   make-cmd  the tree's own scripts/Kbuild.include's make-cmd, with the sign # kept as
///             $(pound) in the .cmd files. Since make 4.3 a \# is written there as it stands and
///             read back as another command, so every make rebuilt everything (9564a8cf422d).
Words derive_words(const std::filesystem::path& tree);

/// `text` with `{NAME}` replaced by what is derived under that name. Error: skip_build if the tree
/// gave nothing for a name of `derive_words`; other braces stay.
Result<std::string> with_derived(std::string text, const Words& derived);

}  // namespace bisect_run::kernel
