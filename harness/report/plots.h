#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/facts.h"

// Plots as gnuplot commands. Whoever asks for a page runs gnuplot; this room only says what to
// draw, and puts what came back into the page.

namespace bisect_run::report {

/// The two widths in which every plot is drawn: for a desk and paper, and for a phone.
struct PlotSize {
  int width = 0, height = 0;
};

struct Plot {
  std::string title;   ///< a caption, in words
  std::string script;  ///< commands without terminal and output; no text of it is a command
  PlotSize wide{880, 400}, narrow{380, 340};
};

/// All boots against the order of the commits with both levels, and the posterior below them; what
/// the ends, the answer and its parents do at every mark; their distributions.
std::vector<Plot> plots_of(const BisectFacts& facts);
/// Over releases where there are many kernels; rates against marks; distributions.
std::vector<Plot> plots_of(const ComparisonFacts& facts);

/// What gnuplot must be fed to draw `plot` at `size` into `file`.
std::string script_for(const Plot& plot, const PlotSize& size, std::string_view file);

/// gnuplot's SVG as part of a page: without its head, and with names that only `number` has.
std::string inline_svg(std::string_view svg, int number);

/// A text as a gnuplot string: single-quoted, and only of letters, digits and harmless signs.
std::string plot_text(std::string_view text);

}  // namespace bisect_run::report
