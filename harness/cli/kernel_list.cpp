#include "cli/kernel_list.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "model/try.h"

namespace bisect_run::cli {
namespace {

Result<std::vector<std::string>> specs_of_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return fail(ErrorKind::usage, file + ": the list of kernels cannot be read");
  auto specs = specs_of(std::string{std::istreambuf_iterator<char>(in), {}});
  if (specs.empty()) return fail(ErrorKind::usage, file + ": no kernel in this list");
  return specs;
}

Result<std::vector<std::string>> tags_of(const std::string& range,
                                         const git::Repository& repository) {
  const auto dots = range.find("..");
  BR_TRY_ASSIGN(const auto from, repository.resolve(range.substr(0, dots)));
  BR_TRY_ASSIGN(const auto to, repository.resolve(range.substr(dots + 2)));
  BR_TRY_ASSIGN(auto tags, repository.tags_between(from, to));
  if (tags.empty()) return fail(ErrorKind::usage, fmt::format("there is no tag in {}", range));
  return tags;
}

}  // namespace

std::vector<std::string> specs_of(std::string_view text) {
  std::vector<std::string> specs;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    line.erase(std::min(line.find('#'), line.size()));
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) continue;
    specs.push_back(line.substr(first, line.find_last_not_of(" \t\r") - first + 1));
  }
  return specs;
}

Result<std::vector<std::string>> listed_kernels(const Arguments& arguments,
                                                const git::Repository& repository) {
  auto kernels = arguments.kernels;
  if (arguments.list_file) {
    BR_TRY_ASSIGN(const auto more, specs_of_file(*arguments.list_file));
    kernels.insert(kernels.end(), more.begin(), more.end());
  }
  if (arguments.tags) {
    BR_TRY_ASSIGN(const auto more, tags_of(*arguments.tags, repository));
    kernels.insert(kernels.end(), more.begin(), more.end());
  }
  return kernels;
}

}  // namespace bisect_run::cli
