#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}

namespace bisect_run::cli {

/// How --help looks: both forms of the command line, lines of at most 78 columns.
std::shared_ptr<CLI::FormatterBase> help_format();

}  // namespace bisect_run::cli
