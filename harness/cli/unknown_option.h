#pragma once

#include <string>

namespace CLI {
class App;
}

namespace bisect_run::cli {

/// A sentence for the first word that looks like an option and is none of the command's, with those
/// that it may have been meant to be; else empty. `app` has been parsed, in vain.
std::string unknown_option(const CLI::App& app, int argc, const char* const* argv);

}  // namespace bisect_run::cli
