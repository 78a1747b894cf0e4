#include "kernel/object_dir.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include <fmt/format.h>

#include "kernel/files.h"
#include "kernel/stranger_file.h"
#include "model/try.h"
#include "wire/digest.h"

namespace bisect_run::kernel {
namespace {

constexpr auto kLookAgainAfter = std::chrono::milliseconds(100);

/// What is noted for `question` and the .config that answered it.
std::string answer_note(const std::string& question, const std::filesystem::path& config) {
  const auto text = read_below(config.parent_path(), config.filename());
  return text ? wire::Digest().add(question).add(*text).hex() : std::string();
}

}  // namespace

Result<ObjectDir> ObjectDir::lock(std::filesystem::path directory, double patience_s,
                                  std::stop_token stop, const std::function<void()>& on_wait) {
  BR_TRY(make_directories(directory));
  const auto file = directory / "lock";
  UniqueFd fd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!fd) return system_failure("open the lock", file, errno);

  const auto limit = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience_s);
  std::mutex mutex;
  std::condition_variable_any tick;
  bool waited = false;
  while (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return system_failure("lock", file, errno);
    if (std::chrono::steady_clock::now() >= limit)
      return fail(ErrorKind::infra,
                  fmt::format("another process has been building in {} for {:.0f} s; see who holds "
                              "{} (fuser), end it or wait, then resume",
                              directory.string(), patience_s, file.string()));
    if (!waited && on_wait) on_wait();
    waited = true;
    std::unique_lock lock(mutex);
    tick.wait_for(lock, stop, kLookAgainAfter, [] { return false; });
    if (stop.stop_requested())
      return fail(ErrorKind::interrupted, "interrupted while waiting for another build");
  }
  ::futimens(fd.get(), nullptr);  // the stamp of its last use
  return ObjectDir(std::move(directory), std::move(fd));
}

Status ObjectDir::begin() {
  std::error_code error;
  const auto marker = directory_ / "building";
  if (std::filesystem::exists(marker, error)) {
    std::filesystem::remove_all(out(), error);
    if (error) return system_failure("empty", out(), error.value());
  }
  std::filesystem::remove_all(scratch(), error);
  BR_TRY(make_directories(out()));
  from_nothing_ = std::filesystem::is_empty(out(), error);
  BR_TRY(make_directories(scratch()));
  return write_file(marker, "make is at work here, or was when its owner vanished\n");
}

Status ObjectDir::end() {
  std::error_code error;
  std::filesystem::remove_all(scratch(), error);
  std::filesystem::remove(directory_ / "building", error);
  if (error) return system_failure("remove", directory_ / "building", error.value());
  return {};
}

bool ObjectDir::fails_from_nothing(const std::string& failure) const {
  const auto noted = read_file(directory_ / "fails");
  return noted && *noted == wire::digest_of(failure);
}

Status ObjectDir::note_fails_from_nothing(const std::string& failure) const {
  return write_file(directory_ / "fails", wire::digest_of(failure));
}

bool ObjectDir::configured_for(const std::string& question) const {
  const auto noted = read_file(directory_ / "configured");
  return noted && !noted->empty() && *noted == answer_note(question, out() / ".config");
}

Status ObjectDir::note_configured(const std::string& question) const {
  return write_file(directory_ / "configured", answer_note(question, out() / ".config"));
}

int ObjectDir::most_steps(int otherwise) const {
  const auto text = read_file(directory_ / "steps");
  int steps = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), steps);
  return steps > 0 ? steps : otherwise;
}

void ObjectDir::note_steps(int steps) const {
  // Only a progress bar depends on it: a failed write is not worth a word.
  if (steps > most_steps(0)) (void)write_file(directory_ / "steps", std::to_string(steps));
}

}  // namespace bisect_run::kernel
