// rooms: cli
// options: -max_len=2048 -rss_limit_mb=192 -malloc_limit_mb=17
// A `git bisect log` of somebody else, down to the revisions it names in a small repository: it is
// taken over or refused with a reason, and what is taken over are commits of that repository.

#include <optional>

#include "cli/bisect_log.h"
#include "fuzz/fuzz.h"
#include "git/history_writer.h"
#include "support/temp_dir.h"

namespace {

using namespace bisect_run;
using test::require;

/// Five commits in a row, tagged v1 to v5.
class Place {
 public:
  Place() {
    auto writer = git::HistoryWriter::create(directory_ / "r");
    require(writer.has_value());
    const auto tree = writer->patched_tree({"4b825dc642cb6eb9a060e54bf8d69288fbee4904"},
                                           {{"p", "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n"}});
    require(tree.has_value());
    std::vector<Oid> parents;
    for (int i = 1; i <= 5; ++i) {
      const auto number = std::to_string(i);
      const auto commit = writer->commit({*tree, parents, "T <t@t>", 1'000'000 + i, "c" + number});
      require(commit.has_value());
      require(writer->set_reference("refs/tags/v" + number, *commit).has_value());
      parents = {*commit};
    }
    auto opened = git::Repository::open(directory_ / "r");
    require(opened.has_value());
    repository_.emplace(std::move(*opened));
  }
  const git::Repository& repository() const { return *repository_; }
  std::filesystem::path file() const { return directory_ / "log"; }

 private:
  test::TempDir directory_;
  std::optional<git::Repository> repository_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Place place;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto log = cli::parse_bisect_log(text);
  if (!log) {
    require(log.error().kind == ErrorKind::usage);
    return 0;
  }
  require(log->good.size() + log->skip.size() <= size);
  test::write_file(place.file(), std::string(text));
  RunRequest request;
  const auto taken = cli::import_bisect_log(place.file(), place.repository(), request);
  if (!taken) {
    require(taken.error().kind == ErrorKind::usage || taken.error().kind == ErrorKind::infra);
    return 0;
  }
  require(request.kernels.size() == 2);
  for (const auto& kernel : request.kernels)
    require(place.repository().commit(kernel.commit).has_value());
  return 0;
}
