#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "model/error.h"

namespace bisect_run::demo {

struct TarFile {
  std::string path;          ///< below the one top directory of the tarball, which is left out
  std::uint32_t mode = 0;    ///< as git has it: 0100644, 0100755, 0120000
  std::string_view content;  ///< of a link: where it points; valid during the call
  double fraction = 0;       ///< of the compressed tarball read so far
};

/// Hands every file and symbolic link of a compressed tarball to `take`, in its order.
/// Errors: infra (cannot be read or is damaged), and whatever `take` returns, which ends it.
Status read_tarball(const std::filesystem::path& tarball,
                    const std::function<Status(const TarFile&)>& take);

}  // namespace bisect_run::demo
