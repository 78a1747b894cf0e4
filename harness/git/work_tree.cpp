#include "git/work_tree.h"

#include <fmt/format.h>
#include <git2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <system_error>
#include <utility>

#include "git/apply.h"
#include "git/handles.h"
#include "git/own_repository.h"
#include "git/program.h"
#include "git/tree_edit.h"
#include "git/tree_lock.h"
#include "model/try.h"

namespace bisect_run::git {

namespace fs = std::filesystem;

struct WorkTree::State {
  fs::path directory;
  UniqueFd lock;
  RepositoryHandle repository = nullptr;
  fs::path tree = directory / "tree";

  fs::path git_dir() const { return directory / "repo.git"; }
  fs::path unfinished() const { return directory / "unfinished"; }

  Status make(const Repository& origin);
  Status open_repository();
  Status update(const std::string& tree_name);
  Status run(std::vector<std::string> arguments);
  Status mark_unfinished() const;
};

namespace {

/// A directory is ours when this file is in it; nothing else is ever deleted.
constexpr const char* marker = "bisect-run-tree";

std::unexpected<Error> cannot(const fs::path& path, const std::error_code& fault) {
  return fail(ErrorKind::infra, fmt::format("{}: {}", path.string(), fault.message()));
}

/// Makes the directory, or makes sure that the one there is ours.
Status claim(const fs::path& directory) {
  std::error_code fault;
  fs::create_directories(directory, fault);
  if (fault) return cannot(directory, fault);
  struct stat found{};
  if (stat(directory.c_str(), &found) == 0 && found.st_uid != geteuid())
    return fail(ErrorKind::usage, fmt::format("{} belongs to another user (uid {}); choose another "
                                              "cache directory",
                                              directory.string(), found.st_uid));
  if (fs::exists(directory / marker, fault)) return {};
  if (!fs::is_empty(directory, fault))
    return fail(
        ErrorKind::usage,
        fmt::format("{} holds files that are not ours and stay untouched; empty it or choose "
                    "another cache directory",
                    directory.string()));
  std::ofstream out(directory / marker);
  out << "A source tree of bisect-run. It can be deleted when no run is under way.\n";
  out.close();
  if (!out) return fail(ErrorKind::infra, fmt::format("{} cannot be written", directory.string()));
  return {};
}

}  // namespace

WorkTree::WorkTree(std::unique_ptr<State> state) : state_(std::move(state)) {}
WorkTree::WorkTree(WorkTree&&) noexcept = default;
WorkTree& WorkTree::operator=(WorkTree&&) noexcept = default;
WorkTree::~WorkTree() = default;

const fs::path& WorkTree::path() const {
  return state_->tree;
}

Status WorkTree::State::open_repository() {
  git_repository* opened = nullptr;
  const int code =
      git_repository_open_ext(&opened, git_dir().c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr);
  repository.reset(opened);
  if (code != 0) return std::unexpected(library_error(code, git_dir().string()));
  return {};
}

Status WorkTree::State::make(const Repository& origin) {
  std::error_code fault;
  for (const fs::path& old : {git_dir(), tree}) {
    fs::remove_all(old, fault);
    if (fault) return cannot(old, fault);
  }
  BR_TRY(make_own_repository(git_dir(), origin));
  fs::create_directory(tree, fault);
  if (fault) return cannot(tree, fault);
  return {};
}

Result<WorkTree> WorkTree::open(const fs::path& directory, const Repository& origin) {
  start_library();
  std::error_code ignored;
  auto state = std::make_unique<State>(fs::absolute(directory, ignored));
  BR_TRY(claim(state->directory));
  BR_TRY_ASSIGN(state->lock, lock_tree(state->directory / "lock"));
  // We hold the lock, so this one belongs to nobody that lives.
  fs::remove(state->git_dir() / "index.lock", ignored);
  if (fs::is_directory(state->tree, ignored) && own_repository_is_sound(state->git_dir())) {
    BR_TRY(borrow_from(state->git_dir(), origin));
  } else {
    BR_TRY(state->make(origin));
  }
  BR_TRY(state->open_repository());
  return WorkTree(std::move(state));
}

Status WorkTree::State::run(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(),
                   {"--git-dir=" + git_dir().string(), "--work-tree=" + tree.string(), "-c",
                    "index.version=2", "-c", "checkout.workers=0"});
  BR_TRY_ASSIGN(const ProgramOutput output, run_git(tree, arguments, {.kept_open = lock.get()}));
  if (output.exit_code == 0) return {};
  const std::string reason = output.err.substr(0, output.err.find('\n'));
  if (output.err.find("No space left") != std::string::npos)
    return fail(ErrorKind::infra,
                fmt::format("no space left for the source tree in {}; free some, "
                            "then resume",
                            directory.string()),
                output.err);
  if (output.err.find("invalid path '") != std::string::npos)
    return fail(ErrorKind::skip_build,
                fmt::format("git takes no tree with such a name in it: {}", reason), output.err);
  return fail(ErrorKind::infra,
              fmt::format("the source tree in {} cannot be brought up to date: {}",
                          directory.string(), reason),
              output.err);
}

Status WorkTree::State::mark_unfinished() const {
  std::ofstream out(unfinished());
  out.close();
  if (!out)
    return fail(ErrorKind::infra, fmt::format("{} cannot be written", unfinished().string()));
  return {};
}

Status WorkTree::State::update(const std::string& tree_name) {
  BR_TRY(mark_unfinished());
  BR_TRY(run({"read-tree", "--reset", "-u", tree_name}));
  BR_TRY(run({"clean", "-ffdxq"}));
  std::error_code fault;
  fs::remove(unfinished(), fault);
  if (fault) return cannot(unfinished(), fault);
  return {};
}

Result<std::string> WorkTree::checkout(const Oid& commit, const std::vector<Patch>& patches) {
  git_repository* repository = state_->repository.get();
  BR_TRY_ASSIGN(const Oid tree, apply_to_tree(repository, commit, patches));
  BR_TRY_ASSIGN(const bool submodules, has_submodules(repository, tree));
  if (submodules)
    return fail(
        ErrorKind::skip_build,
        fmt::format("{} has submodules; they would stay at another commit, so such trees are "
                    "not taken",
                    commit.abbreviated()));
  BR_TRY(state_->update(tree.hex));
  return tree.hex;
}

Status WorkTree::fits(const Oid& commit, const std::vector<Patch>& patches) const {
  BR_TRY(apply_to_tree(state_->repository.get(), commit, patches));
  return {};
}

}  // namespace bisect_run::git
