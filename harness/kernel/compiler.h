#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"
#include "model/recipe.h"

namespace bisect_run::kernel {

/// The tools that make code out of source, as they are on this machine.
struct Compiler {
  std::string version;  ///< first line of `CC --version`
  /// Digest of the compiler, assembler and linker and of the make variables that come with them.
  /// Objects of two identities never meet in one directory.
  std::string identity;
  std::string command;       ///< for CC=: through ccache where there is one
  std::string host_command;  ///< for HOSTCC=
  std::string name;          ///< of its toolchain
  std::string search_path;   ///< PATH under which its programs are found
  std::vector<std::string> make_variables;
  /// Where its programs lie, beside the system's own directories (isolation.h).
  std::vector<std::filesystem::path> shown;
};

/// Asks the toolchain's programs, found through `search_path`. Error: infra, naming what is
/// missing.
Result<Compiler> look_at(const Toolchain& toolchain, const std::string& search_path);

/// The program that a tree's Makefile takes for `tool` (clang, ld.lld, …) under LLVM=1, LLVM=-19 or
/// LLVM=DIR/ among the make variables; empty without LLVM.
std::string llvm_tool(const std::vector<std::string>& make_variables, std::string_view tool);

/// Words between blanks.
std::vector<std::string> split_words(std::string_view text);

}  // namespace bisect_run::kernel
