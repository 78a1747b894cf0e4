// Time and memory of every report on a large results file:
//   report_speed PROGRAM DIRECTORY RUN…      (make_results makes DIRECTORY and prints its RUNs)
// Each report runs as a process of its own; the figure is the best of three, the memory its peak.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace {

struct Spent {
  double seconds = 0;
  double mib = 0;
  int exit_code = 0;
};

Spent run(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  return {wall.count(), static_cast<double>(used.ru_maxrss) / 1024,
          WIFEXITED(status) ? WEXITSTATUS(status) : 128};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: report_speed PROGRAM DIRECTORY RUN…\n");
    return 2;
  }
  const std::string program = argv[1], results = argv[2];
  std::vector<std::vector<std::string>> reports{{program, "runs"}, {program, "runs", "--json"}};
  for (int i = 3; i < argc; ++i) {
    reports.push_back({program, "show", argv[i]});
    for (const auto* format : {"text", "mail", "html", "json", "csv"})
      reports.push_back({program, "report", argv[i], "--format", format});
  }
  bool within = true;
  for (auto words : reports) {
    std::string name;
    for (std::size_t i = 1; i < words.size(); ++i) name += (i > 1 ? " " : "") + words[i];
    words.insert(words.end(), {"--results", results});
    Spent best = run(words);
    for (int again = 0; again < 2; ++again) {
      const auto next = run(words);
      best.seconds = std::min(best.seconds, next.seconds);
      best.exit_code = std::max(best.exit_code, next.exit_code);
    }
    within = within && best.exit_code == 0 && best.seconds < 2 && best.mib < 200;
    fmt::print("{:<50} {:6.2f} s {:7.1f} MiB{}\n", name, best.seconds, best.mib,
               best.exit_code == 0 ? "" : fmt::format("  exit {}", best.exit_code));
  }
  fmt::print("every report below 2 s and 200 MiB: {}\n", within ? "yes" : "NO");
  return within ? 0 : 1;
}
