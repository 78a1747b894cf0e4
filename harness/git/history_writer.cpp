#include "git/history_writer.h"

#include <fmt/format.h>
#include <git2.h>

#include <utility>

#include "git/apply.h"
#include "git/handles.h"
#include "git/program.h"
#include "git/tree_write.h"
#include "model/try.h"

namespace bisect_run::git {

struct HistoryWriter::State {
  RepositoryHandle repository;
};

HistoryWriter::HistoryWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
HistoryWriter::HistoryWriter(HistoryWriter&&) noexcept = default;
HistoryWriter& HistoryWriter::operator=(HistoryWriter&&) noexcept = default;
HistoryWriter::~HistoryWriter() = default;

Result<HistoryWriter> HistoryWriter::open(const std::filesystem::path& repository) {
  start_library();
  git_repository* opened = nullptr;
  const int code = git_repository_open_bare(&opened, repository.c_str());
  RepositoryHandle handle(opened);
  if (code != 0) return std::unexpected(library_error(code, repository.string()));
  return HistoryWriter(std::make_unique<State>(std::move(handle)));
}

Result<HistoryWriter> HistoryWriter::create(const std::filesystem::path& repository) {
  BR_TRY_ASSIGN(const ProgramOutput made,
                run_git(repository.parent_path(),
                        {"init", "--quiet", "--bare", "--template=", "--object-format=sha1",
                         "--initial-branch=main", repository.string()}));
  if (made.exit_code != 0)
    return fail(ErrorKind::infra,
                fmt::format("{} cannot be made: {}", repository.string(), made.err), made.err);
  return open(repository);
}

Result<Oid> HistoryWriter::patched_tree(const Oid& commit_or_tree,
                                        const std::vector<Patch>& patches) {
  return apply_to_tree(state_->repository.get(), commit_or_tree, patches);
}

Result<Oid> HistoryWriter::commit(const NewCommit& commit) {
  std::string text = fmt::format("tree {}\n", commit.tree.hex);
  for (const Oid& parent : commit.parents) text += fmt::format("parent {}\n", parent.hex);
  text += fmt::format("author {} {} +0000\ncommitter {} {} +0000\n\n{}", commit.author, commit.time,
                      commit.author, commit.time, commit.message);
  BR_TRY_ASSIGN(const RawId id, write_object(state_->repository.get(), GIT_OBJECT_COMMIT, text));
  return Oid{to_hex(id)};
}

Status HistoryWriter::set_reference(const std::string& name, const Oid& commit) {
  BR_TRY_ASSIGN(const RawId raw, raw_id(commit));
  const git_oid id = to_git(raw);
  git_reference* made = nullptr;
  const int code =
      git_reference_create(&made, state_->repository.get(), name.c_str(), &id, 1, nullptr);
  const Handle<git_reference, git_reference_free> reference(made);
  if (code != 0) return std::unexpected(library_error(code, name));
  return {};
}

}  // namespace bisect_run::git
