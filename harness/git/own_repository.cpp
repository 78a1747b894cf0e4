#include "git/own_repository.h"

#include <fmt/format.h>
#include <git2.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "git/handles.h"
#include "git/program.h"
#include "model/try.h"

namespace bisect_run::git {
namespace {

namespace fs = std::filesystem;

/// Files are the bytes of the blobs, whatever .gitattributes of the tree say.
constexpr const char* attributes = "* -text -crlf !eol -ident -filter !working-tree-encoding\n";

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Status write_text(const fs::path& file, const std::string& text) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) return fail(ErrorKind::infra, fmt::format("{} cannot be written", file.string()));
  return {};
}

void collect(const fs::path& objects, int depth, std::vector<fs::path>& found) {
  constexpr int deepest = 5;  // as far as git goes
  std::error_code ignored;
  const fs::path directory = fs::weakly_canonical(objects, ignored);
  if (depth > deepest || std::ranges::find(found, directory) != found.end()) return;
  found.push_back(directory);
  std::ifstream lines(directory / "info" / "alternates");
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line.front() != '#') collect(directory / line, depth + 1, found);
}

}  // namespace

std::vector<fs::path> object_directories(const fs::path& objects) {
  std::vector<fs::path> found;
  collect(objects, 0, found);
  return found;
}

Status borrow_from(const fs::path& git_dir, const Repository& origin) {
  std::string wanted;
  for (const fs::path& directory : object_directories(origin.object_directory())) {
    if (directory.string().find('\n') != std::string::npos)
      return fail(ErrorKind::usage,
                  fmt::format("{}: objects cannot be borrowed from a directory with "
                              "a line break in its name",
                              directory.string()));
    wanted += directory.string() + '\n';
  }
  const fs::path file = git_dir / "objects" / "info" / "alternates";
  if (text_of(file) == wanted) return {};
  BR_TRY(write_text(file.string() + ".new", wanted));
  std::error_code fault;
  fs::rename(file.string() + ".new", file, fault);
  if (fault) return fail(ErrorKind::infra, fmt::format("{}: {}", file.string(), fault.message()));
  return {};
}

Status make_own_repository(const fs::path& git_dir, const Repository& origin) {
  BR_TRY_ASSIGN(const ProgramOutput made,
                run_git(git_dir.parent_path(), {"init", "--quiet", "--bare", "--template=",
                                                "--object-format=sha1", git_dir.string()}));
  if (made.exit_code != 0)
    return fail(ErrorKind::infra, fmt::format("{} cannot be made: {}", git_dir.string(), made.err),
                made.err);
  BR_TRY(write_text(git_dir / "info" / "attributes", attributes));
  return borrow_from(git_dir, origin);
}

bool own_repository_is_sound(const fs::path& git_dir) {
  start_library();
  git_repository* opened = nullptr;
  const int code =
      git_repository_open_ext(&opened, git_dir.c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr);
  const RepositoryHandle repository(opened);
  if (code != 0 || text_of(git_dir / "info" / "attributes") != attributes) return false;
  std::error_code ignored;
  if (!fs::exists(git_dir / "index", ignored)) return true;
  git_index* index = nullptr;
  const int readable = git_index_open(&index, (git_dir / "index").c_str());
  const Handle<git_index, git_index_free> owner(index);
  return readable == 0;
}

}  // namespace bisect_run::git
