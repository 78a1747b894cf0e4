#include "git/tree_import.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "git/program.h"
#include "git/spawn.h"
#include "model/try.h"

namespace bisect_run::git {
namespace {

constexpr const char* import_reference = "refs/bisect-run/import";
constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

std::string text_of(int descriptor) {
  char buffer[4096];
  const ssize_t size = pread(descriptor, buffer, sizeof buffer, 0);
  return {buffer, size > 0 ? static_cast<std::size_t>(size) : 0};
}

/// A path as fast-import reads it to the end of the line.
std::string import_path(const std::string& path) {
  if (path.find_first_of("\n\"") == path.npos) return path;
  std::string quoted = "\"";
  for (const char c : path) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return quoted + '"';
}

}  // namespace

Result<TreeImport> TreeImport::start(const std::filesystem::path& repository,
                                     const NewCommit& root) {
  // A socket, because writing to it can be told not to raise SIGPIPE.
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return fail(ErrorKind::infra, fmt::format("no socket for git: {}", std::strerror(errno)));
  UniqueFd ours(ends[0]), theirs(ends[1]);
  UniqueFd log(memfd_create("git", MFD_CLOEXEC));
  if (!log) return fail(ErrorKind::infra, fmt::format("no file for git: {}", std::strerror(errno)));
  BR_TRY_ASSIGN(const pid_t git,
                start_git(repository,
                          {"--git-dir=" + repository.string(), "-c", "core.compression=1", "-c",
                           "pack.compression=1", "-c", "fastimport.unpackLimit=0", "fast-import",
                           "--quiet", "--force", "--done", "--depth=0"},
                          {.in = theirs.get(), .out = log.get(), .err = log.get()}));
  TreeImport import(repository, std::move(ours), std::move(log), git);
  BR_TRY(import.send(fmt::format(
      "commit {}\nauthor {} {} +0000\ncommitter {} {} +0000\ndata {}\n{}\n", import_reference,
      root.author, root.time, root.author, root.time, root.message.size(), root.message)));
  return import;
}

TreeImport::TreeImport(TreeImport&& other) noexcept
    : repository_(std::move(other.repository_)),
      input_(std::move(other.input_)),
      log_(std::move(other.log_)),
      git_(std::exchange(other.git_, 0)),
      pending_(std::move(other.pending_)) {}

TreeImport::~TreeImport() {
  if (git_ <= 0) return;
  kill(-git_, SIGKILL);
  end();
}

int TreeImport::end() {
  input_.reset();
  return wait_for_git(std::exchange(git_, 0));
}

std::unexpected<Error> TreeImport::failure() {
  if (git_ > 0) end();
  const std::string said = text_of(log_.get());
  return fail(ErrorKind::infra,
              fmt::format("the sources cannot be stored in {}: {}", repository_.string(),
                          said.empty() ? "git gives no reason" : said.substr(0, said.find('\n'))),
              said);
}

Status TreeImport::flush() {
  for (std::string_view rest = pending_; !rest.empty();) {
    const ssize_t sent = ::send(input_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return failure();
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  pending_.clear();
  return {};
}

Status TreeImport::send(std::string_view bytes) {
  pending_ += bytes;
  return pending_.size() < buffer_bytes ? Status() : flush();
}

Status TreeImport::add(const std::string& path, std::uint32_t mode, std::string_view content) {
  BR_TRY(send(fmt::format("M {:o} inline {}\ndata {}\n", mode, import_path(path), content.size())));
  BR_TRY(send(content));
  return send("\n");
}

Result<Oid> TreeImport::finish() {
  BR_TRY(send("\ndone\n"));
  BR_TRY(flush());
  if (end() != 0) return failure();
  BR_TRY_ASSIGN(const ProgramOutput name,
                run_git(repository_, {"--git-dir=" + repository_.string(), "rev-parse", "--verify",
                                      import_reference}));
  if (name.exit_code != 0) return failure();
  return Oid{name.out.substr(0, name.out.find('\n'))};
}

}  // namespace bisect_run::git
