#include "report/html_parts.h"

#include <fmt/format.h>

#include "report/base64.h"
#include "report/numbers.h"
#include "report/plots.h"

namespace bisect_run::report {

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string element(std::string_view tag, std::string_view text) {
  return fmt::format("<{0}>{1}</{0}>\n", tag, escaped(printable(text)));
}

std::string heading(std::string_view text) {
  return element("h2", text);
}

std::string paragraph(std::string_view text) {
  return element("p", text);
}

std::string preformatted(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines += escaped(printable(text.substr(0, end))) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return fmt::format("<pre>{}</pre>\n", lines);
}

std::string folded(std::string_view title, std::string_view html) {
  if (html.empty()) return {};
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", escaped(printable(title)),
                     html);
}

HtmlTable::HtmlTable(const std::vector<std::string>& headings, std::vector<bool> numbers)
    : numbers_(std::move(numbers)) {
  numbers_.resize(headings.size(), false);
  html_ = "<tr>";
  for (std::size_t i = 0; i < headings.size(); ++i)
    html_ += fmt::format("<th{}>{}</th>", numbers_[i] ? " class=n" : "",
                         escaped(printable(headings[i])));
  html_ += "</tr>\n";
}

void HtmlTable::row(const std::vector<std::string>& texts, std::string_view row_class) {
  std::vector<std::string> cells;
  for (const auto& text : texts) cells.push_back(escaped(printable(text)));
  html_row(cells, row_class);
}

void HtmlTable::html_row(const std::vector<std::string>& cells, std::string_view row_class) {
  empty_ = false;
  html_ += row_class.empty() ? "<tr>" : fmt::format("<tr class={}>", row_class);
  for (std::size_t i = 0; i < cells.size(); ++i)
    html_ += fmt::format("<td{}>{}</td>", i < numbers_.size() && numbers_[i] ? " class=n" : "",
                         cells[i]);
  html_ += "</tr>\n";
}

std::string HtmlTable::in_table(std::string_view tag) const {
  return fmt::format("<div class=scroll><{}>\n{}</table></div>\n", tag, html_);
}

std::string HtmlTable::html() const {
  return in_table("table");
}

std::string HtmlTable::log_html() const {
  return in_table("table class=log");
}

std::string pairs(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::string list;
  for (const auto& [name, value] : facts)
    if (!value.empty())
      list += fmt::format("{}<dd>{}</dd>\n",
                          name.empty() ? "" : fmt::format("<dt>{}</dt>", escaped(name)),
                          escaped(printable(value)));
  return list.empty() ? list : fmt::format("<dl>\n{}</dl>\n", list);
}

std::string figures(const PageData& data) {
  std::string html;
  int number = 0;
  for (const auto& plot : data.plots) {
    const auto svg = [&](const char* which, const std::string& drawn) {
      return fmt::format("<div class={} role=img aria-label=\"{}\">{}</div>\n", which,
                         escaped(printable(plot.title)), inline_svg(drawn, ++number));
    };
    // One after the other: the order in which arguments are worked out is the compiler's.
    const auto wide = svg("wide", plot.wide);
    const auto narrow = svg("narrow", plot.narrow);
    html += fmt::format("<figure>\n{}{}<figcaption>{}</figcaption></figure>\n", wide, narrow,
                        escaped(printable(plot.title)));
  }
  if (!data.no_plots.empty()) html += paragraph("There are no plots: " + data.no_plots);
  return html;
}

std::string downloads(const RunFacts& run, const PageData& data) {
  const auto link = [&](const char* type, const char* suffix, const std::string& content,
                        const char* words) {
    return fmt::format("<li><a download=\"{0}{1}\" href=\"data:{2};base64,{3}\">{4}</a></li>\n",
                       escaped(run.id), suffix, type, base64(content), words);
  };
  std::string html = heading("Raw data") + "<ul>\n";
  html += link("text/csv", "-samples.csv", data.samples_csv,
               data.all_samples ? "every sample, as CSV" : "one number a boot, as CSV");
  html += link("application/json", ".json", data.json, "the report, as JSON") + "</ul>\n";
  if (!data.all_samples)
    html +=
        paragraph(fmt::format("There are too many samples for a page; all of them come from: "
                              "bisect-run report {} --format csv",
                              run.id));
  return html;
}

std::string page(std::string_view title, std::string_view body_html, const RunFacts& run) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n"
      "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n"
      "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; img-src data:\">\n"
      "<link rel=icon href=\"data:,\">\n"
      "<title>{}</title>\n<style>{}</style></head>\n<body>\n{}"
      "<footer>Run {}, {}. Made by bisect-run {}.</footer>\n</body></html>\n",
      escaped(printable(title)), kPageStyle, body_html, escaped(run.id), escaped(run.started),
      escaped(run.version));
}

}  // namespace bisect_run::report
