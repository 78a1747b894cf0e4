#include "kernel/host_trouble.h"

#include <array>

#include <fmt/format.h>

namespace bisect_run::kernel {
namespace {

struct Sign {
  std::string_view text;
  std::string_view meaning;
};

constexpr std::string_view kDisk = "the disk is full; make room, then resume";
constexpr std::string_view kKilled =
    "the compiler was killed, most likely for lack of memory; free some or build with fewer jobs";

constexpr std::array kSigns = {
    Sign{"No space left on device", kDisk},
    Sign{"Disk quota exceeded", kDisk},
    Sign{"Read-only file system", kReadOnlyDisk},
    Sign{"Input/output error", "the disk has an input/output error; see dmesg"},
    Sign{"internal compiler error: Killed", kKilled},
    Sign{"Killed signal terminated program", kKilled},
    Sign{"terminated with signal 9", kKilled},
    Sign{"] Killed", kKilled},
    Sign{"] Error 137", kKilled},
    Sign{"out of memory allocating", kKilled},
    Sign{"virtual memory exhausted", kKilled},
    Sign{"Cannot allocate memory", kKilled},
    Sign{"memory exhausted", kKilled},
    Sign{"Too many open files", "too many open files; raise `ulimit -n`"},
    Sign{"The source tree is not clean", "the checkout holds build products; remove it and resume"},
    Sign{"gelf.h: No such file", "a header is missing; install libelf-dev"},
    Sign{"libelf.h: No such file", "a header is missing; install libelf-dev"},
    Sign{"openssl/opensslv.h: No such file", "a header is missing; install libssl-dev"},
    Sign{"openssl/bio.h: No such file", "a header is missing; install libssl-dev"},
};

struct Program {
  std::string_view name;
  std::string_view package;
};

/// What a kernel build calls, and the Debian package it comes from. Anything else that is not
/// found is taken for a fault of the tree.
constexpr std::array kPrograms = {
    Program{"flex", "flex"},       Program{"bison", "bison"},
    Program{"bc", "bc"},           Program{"perl", "perl"},
    Program{"python3", "python3"}, Program{"cpio", "cpio"},
    Program{"lz4", "lz4"},         Program{"lz4c", "lz4"},
    Program{"xz", "xz-utils"},     Program{"lzma", "xz-utils"},
    Program{"zstd", "zstd"},       Program{"gzip", "gzip"},
    Program{"bzip2", "bzip2"},     Program{"lzop", "lzop"},
    Program{"openssl", "openssl"}, Program{"gcc", "gcc"},
    Program{"g++", "g++"},         Program{"as", "binutils"},
    Program{"ld", "binutils"},     Program{"ar", "binutils"},
    Program{"nm", "binutils"},     Program{"objcopy", "binutils"},
    Program{"strip", "binutils"},  Program{"awk", "gawk"},
    Program{"m4", "m4"},           Program{"ccache", "ccache"},
};

/// gcc shows the line of source it speaks of; what stands there is no message.
bool quotes_source(std::string_view text) {
  const auto bar = text.find_first_not_of(" 0123456789");
  return bar != std::string_view::npos && text[bar] == '|';
}

/// `flex` in `/bin/sh: 1: flex: not found` and its relatives.
std::string_view missing_program(std::string_view text) {
  for (const std::string_view ending : {": not found", ": command not found", ": Command not found",
                                        ": No such file or directory"}) {
    if (!text.ends_with(ending)) continue;
    auto name = text.substr(0, text.size() - ending.size());
    if (const auto blank = name.rfind(' '); blank != std::string_view::npos)
      name.remove_prefix(blank + 1);
    return name;
  }
  return {};
}

}  // namespace

std::string host_trouble_in(std::string_view text) {
  if (quotes_source(text)) return {};
  if (text == "Killed") return std::string(kKilled);
  for (const auto& sign : kSigns)
    if (text.find(sign.text) != std::string_view::npos) return std::string(sign.meaning);
  const auto missing = missing_program(text);
  for (const auto& program : kPrograms)
    if (missing == program.name)
      return fmt::format("`{}` is not installed; install the package {}", program.name,
                         program.package);
  return {};
}

}  // namespace bisect_run::kernel
