#include <fmt/format.h>

#include "cli/adapters.h"
#include "model/try.h"

namespace bisect_run::cli {

Result<engine::Undoing> SourceAdapter::undo(const Oid& commit, const Oid& on) {
  const auto without = [](const Error& error, std::string_view what) -> Result<engine::Undoing> {
    if (error.kind != ErrorKind::usage) return std::unexpected(error);
    return engine::Undoing{std::nullopt, fmt::format("{}{}", what, error.message)};
  };
  auto text = repository_.undoing_patch_of(commit);
  if (!text) return without(text.error(), "");
  engine::Undoing undoing{Patch{commit.abbreviated(), std::move(*text)}, ""};
  const auto fits = tree_.fits(on, {*undoing.patch});
  if (!fits) return without(fits.error(), "it cannot be taken back on top of BAD: ");
  return undoing;
}

}  // namespace bisect_run::cli
