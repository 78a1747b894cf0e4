#include "config/toolchains.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/make_variables.h"
#include "config/tree_questions.h"
#include "model/try.h"

namespace bisect_run::config {
namespace {

Status read_common(const Fields& fields, Toolchain& made) {
  if (const auto name = fields.find("name")) {
    BR_TRY_ASSIGN(made.name, name->text());
  }
  if (const auto cc = fields.find("cc")) {
    BR_TRY_ASSIGN(made.cc, cc->text());
  }
  if (const auto make = fields.find("make")) {
    BR_TRY_ASSIGN(made.make_variables, make_variables(*make));
  }
  if (const auto path = fields.find("path")) {
    BR_TRY_ASSIGN(made.path, path->text(4096));
  }
  if (const auto era = fields.find("era")) {
    BR_TRY_ASSIGN(made.era, era->text());
  }
  return {};
}

}  // namespace

Result<Toolchain> default_toolchain(const Cursor& map) {
  BR_TRY_ASSIGN(const auto fields, map.fields({"name", "cc", "make", "path", "era"}));
  Toolchain made;
  BR_TRY(read_common(fields, made));
  return made;
}

Result<std::vector<Toolchain>> other_toolchains(const Cursor& list) {
  BR_TRY_ASSIGN(const auto items, list.list());
  std::vector<Toolchain> all;
  for (const Cursor& item : items) {
    BR_TRY_ASSIGN(const auto fields, item.fields({"name", "cc", "make", "path", "era", "when"}));
    for (const char* key : {"name", "cc", "era"}) BR_TRY(fields.require(key));
    Toolchain made;
    BR_TRY(read_common(fields, made));
    if (std::ranges::find(all, made.name, &Toolchain::name) != all.end())
      return std::unexpected(item.fault(fmt::format("two toolchains are called {}", made.name)));
    BR_TRY_ASSIGN(const auto when, fields.require("when"));
    BR_TRY_ASSIGN(made.when, tree_questions(when));
    all.push_back(std::move(made));
  }
  return all;
}

}  // namespace bisect_run::config
