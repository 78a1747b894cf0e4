#include "netns.h"
#include "ops/ops.h"

#include <cerrno>
#include <vector>

#include <fcntl.h>

namespace bisect_run::agent {
namespace {

class Setns : public Operation {
 public:
  Setns(Fd home, std::vector<Fd> places) : home_(std::move(home)), places_(std::move(places)) {}
  ~Setns() override { (void)set_netns(home_); }

  Outcome run(std::int64_t item) override {
    return set_netns(places_[static_cast<std::size_t>(item) % places_.size()]);
  }

 private:
  Fd home_;
  std::vector<Fd> places_;
};

}  // namespace

Expected<OperationPtr> make_setns(const wire::Step& step, Context&) {
  auto home = own_netns();
  if (!home) return std::unexpected(home.error());
  std::vector<Fd> places;
  for (std::int64_t i = 0; i < integer_of(step, "among"); ++i) {
    const std::string path = netns_path(numbered(text_of(step, "prefix"), i));
    Fd place = open_file(path.c_str(), O_RDONLY);
    if (!place) return os_fault(path, errno);
    places.push_back(std::move(place));
  }
  return std::make_unique<Setns>(std::move(*home), std::move(places));
}

}  // namespace bisect_run::agent
