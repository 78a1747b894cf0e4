#pragma once

#include <string>

namespace CLI {
class App;
}

namespace bisect_run::cli {

// Made from the very definitions that --help prints, so that they cannot disagree with it.

/// The manual page, section 1, as roff.
std::string man_page(const CLI::App& app);
/// A script for bash-completion.
std::string bash_completion(const CLI::App& app);

}  // namespace bisect_run::cli
