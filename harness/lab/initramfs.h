#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"

namespace bisect_run::lab {

/// One entry of a guest's first file system.
struct GuestFile {
  std::string path;               ///< without a leading slash
  std::uint32_t mode;             ///< type and permissions, as in st_mode
  std::string content;            ///< of a regular file
  unsigned major = 0, minor = 0;  ///< of a device
};

/// A newc cpio archive: the same bytes for the same files, whatever the day or the user. Missing
/// parent directories are added. Errors: bug.
Result<std::string> pack(std::vector<GuestFile> files);

/// What a boot needs: the agent as /init, the console, mount points, and for `process` the host's
/// ip, true and sysctl with their libraries. Errors: infra, with what is missing.
Result<std::vector<GuestFile>> guest_files(const std::filesystem::path& agent,
                                           std::string_view mode);

/// The path of the packed initramfs in `directory`, made if it is not there yet. Its name is the
/// digest of its content. Errors: infra.
Result<std::filesystem::path> initramfs(const std::filesystem::path& directory,
                                        const std::filesystem::path& agent, std::string_view mode);

}  // namespace bisect_run::lab
