#include "cli/reading_options.h"

#include <CLI/CLI.hpp>

namespace bisect_run::cli {

void add_printing(CLI::App& app, Arguments& a) {
  app.add_option("--style", a.style,
                 "shape of the result: table, tinoco, greear, bligh, dumazet or mmtests")
      ->capture_default_str()
      ->type_name("STYLE");
  app.add_option("--against", a.against,
                 "print published numbers beside ours: tinoco-2014, greear-2011, bligh-2011, "
                 "dumazet-2011")
      ->type_name("NAME");
  app.add_flag("--json", a.json, "print the table as JSON");
}

void add_report_options(CLI::App& report, Arguments& a) {
  report
      .add_option("--format", a.format,
                  "text; mail, for a list; html, one page with plots; json; csv, every sample; "
                  "bisect-log, for git bisect replay")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "mail", "html", "json", "csv", "bisect-log"}).description(""))
      ->type_name("FORMAT");
  report.add_flag("--cc", a.people,
                  "mail: end with Cc lines, the people whom the commit that was found names");
}

void add_runs_options(CLI::App& runs, Arguments& a) {
  runs.add_option("--scenario", a.scenario, "only runs of this scenario")->type_name("NAME");
  runs.add_option("--kernel", a.kernel,
                  "only runs with a kernel whose name holds this text or whose commit begins so")
      ->type_name("TEXT");
  runs.add_option("--since", a.since, "only runs begun on this day or later: 2026-11-30")
      ->type_name("DATE");
  runs.add_option("--until", a.until, "only runs begun on this day or earlier")->type_name("DATE");
  runs.add_flag("--json", a.json, "print the list as JSON");
}

void add_on_end(CLI::App& command, Arguments& a) {
  command
      .add_option("--on-end", a.on_end,
                  "a command for sh, run when the run has ended, with the answer as JSON on its "
                  "stdin and BISECT_RUN_ID, _STATUS, _EXIT and _COMMITS in its environment")
      ->type_name("COMMAND");
}

}  // namespace bisect_run::cli
