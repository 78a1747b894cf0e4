#pragma once

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "model/kernel.h"
#include "support/temp_dir.h"
#include "wire/digest.h"

// A real kernel and a stand-in for the agent, for tests that boot.

namespace bisect_run::test {

inline std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return text;
  std::array<char, 4096> part;
  while (const auto got = std::fread(part.data(), 1, part.size(), pipe))
    text.append(part.data(), got);
  ::pclose(pipe);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

/// The kernel in the directory BISECT_RUN_TEST_IMAGE names, if any: bzImage, .config, and its GNU
/// build id in a file build-id or in vmlinux.
inline std::optional<Image> test_image() {
  const char* directory = std::getenv("BISECT_RUN_TEST_IMAGE");
  if (!directory) return std::nullopt;
  const std::filesystem::path path = directory;
  if (!std::filesystem::exists(path / "bzImage")) return std::nullopt;
  Image image;
  image.bzimage = path / "bzImage";
  image.config = path / ".config";
  image.config_digest = wire::digest_of(read_file(image.config));
  image.build_id = read_file(path / "build-id");
  if (image.build_id.empty())
    image.build_id = output_of("readelf -n '" + (path / "vmlinux").string() + "' | sed -n 's/.*Build ID: //p'");
  return image;
}

/// Compiles tests/support/stand_in_init.c into `directory` and puts `say` behind its marker. The
/// empty path when there is no C compiler.
inline std::filesystem::path make_stand_in(const std::filesystem::path& directory,
                                           const std::string& say = {}) {
  const auto program = directory / "stand-in";
  const std::string command = "cc -static -O1 -o '" + program.string() + "' '" +
                              BISECT_RUN_SOURCE_DIR "/tests/support/stand_in_init.c'";
  if (std::system(command.c_str()) != 0) return {};
  std::ofstream(program, std::ios::app | std::ios::binary) << "\n@@SAY\n" << say;
  return program;
}

/// QEMUs of domains whose name begins so, and files of such domains, at this moment.
inline int qemus_named(const std::string& part) {
  return std::atoi(output_of("ps -eo args | grep -c '[g]uest=" + part + "'").c_str());
}

inline int domain_files_named(const std::string& part) {
  return std::atoi(output_of("ls -d /tmp/brv-*/boot/" + part + "* 2>/dev/null | wc -l").c_str());
}

}  // namespace bisect_run::test
