#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "cli/manual.h"
#include "cli/manual_parts.h"

namespace bisect_run::cli {
namespace {

/// Options of all commands whose value is a file, a directory, or another word.
std::map<std::string, std::set<std::string>> options_by_value(const CLI::App& app) {
  std::map<std::string, std::set<std::string>> found;
  const auto add = [&](const CLI::App& from) {
    for (const auto* option : shown_options(from)) {
      if (!takes_value(*option)) continue;
      const auto type = option->get_type_name();
      const std::string kind = type == "DIR" ? "dir" : type == "FILE" ? "file" : "word";
      for (const auto& name : names_of(*option)) found[kind].insert(name);
    }
  };
  add(app);
  for (const auto* command : commands_of(app)) add(*command);
  return found;
}

std::string words_of(const CLI::App& app) {
  std::vector<std::string> words;
  for (const auto* option : shown_options(app))
    for (const auto& name : names_of(*option)) words.push_back(name);
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::vector<std::string> commands;
  std::string cases;
  for (const auto* command : commands_of(app)) {
    commands.push_back(command->get_name());
    cases += fmt::format("    {}) words='{}' ;;\n", command->get_name(), words_of(*command));
  }
  auto values = options_by_value(app);
  std::string of_values;
  const auto value_case = [&](const char* kind, const char* reply) {
    if (!values[kind].empty())
      of_values += fmt::format("    {}) {} return ;;\n", fmt::join(values[kind], "|"), reply);
  };
  value_case("dir", "COMPREPLY=($(compgen -d -- \"$current\"));");
  value_case("file", "COMPREPLY=($(compgen -f -- \"$current\"));");
  value_case("word", "COMPREPLY=();");
  return fmt::format(
      R"bash(# bash completion for bisect-run; made from the definitions of its --help
_bisect_run() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command= word words
  case $before in
{0}  esac
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case $word in {1}) command=$word; break ;; esac
  done
  case $command in
{2}    *) words='{3} {4}' ;;
  esac
  case $current in
    -*) ;;
    *) # revisions of the kernel tree one stands in
      words+=" $(git for-each-ref --format='%(refname:short)' refs/tags refs/heads 2> /dev/null)" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o bashdefault -F _bisect_run bisect-run
)bash",
      of_values, fmt::join(commands, "|"), cases, fmt::join(commands, " "), words_of(app));
}

}  // namespace bisect_run::cli
