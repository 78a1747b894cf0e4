#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/arguments.h"
#include "cli/places.h"
#include "store/store.h"

namespace bisect_run::cli {

/// How a run is to be printed.
struct Printing {
  std::string format = "text";         ///< text, mail, html, json, csv, bisect-log, show
  bool cc = false;                     ///< mail: whom the answer's commit names
  std::string style = "table";         ///< of a comparison's text: see report/styles.h
  std::optional<std::string> against;  ///< published numbers beside ours
  std::filesystem::path references;    ///< where these lie
  std::filesystem::path runs;          ///< where the runs' own directories lie
  std::filesystem::path cache;         ///< of the kernels
};

Printing printing_of(const Arguments& arguments, const Places& places);

/// Errors: usage, if the style or the published numbers do not exist.
Status check(const Printing& printing);

/// A run in a format other than csv, as a text.
Result<std::string> report_of(const store::Store& store, const store::RunRecord& run,
                              const Printing& printing);

/// Prints a run from what the store holds of it, on stdout.
Status print_run(const store::Store& store, const std::string& id, const Printing& printing);

}  // namespace bisect_run::cli
