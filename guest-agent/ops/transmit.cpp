#include <algorithm>

#include "clock.h"
#include "crew.h"
#include "links.h"
#include "ops/ops.h"
#include "sender.h"

namespace bisect_run::agent {
namespace {

constexpr double kSecond_ns = 1e9;

class Transmit : public Operation {
 public:
  Transmit(const wire::Step& step, Context& context, int device)
      : netlink_(context.netlink),
        device_(device),
        crew_(integer_of(step, "threads")),
        packets_(integer_of(step, "packets")),
        size_(integer_of(step, "size")) {}

  Outcome run(std::int64_t) override {
    const auto before = sent_by_ports();
    if (!before) return std::unexpected(before.error());
    const Moment start = start_moment();
    AGENT_TRY(crew_.run([this](std::int64_t) { return send_frames(device_, packets_, size_); }));
    const Moment end = end_moment();
    const auto after = sent_by_ports();
    if (!after) return std::unexpected(after.error());
    wall_ns_ = static_cast<double>(end.wall_ns - start.wall_ns);
    cpu_ns_ = static_cast<double>(end.user_ns - start.user_ns + end.system_ns - start.system_ns);
    sent_ = static_cast<double>(*after - *before);
    return {};
  }

  std::vector<Output> outputs() override {
    const double lost = static_cast<double>(crew_.size() * packets_) - sent_;
    std::optional<double> rate, demand;
    if (wall_ns_ > 0) rate = sent_ / wall_ns_ * kSecond_ns;
    if (sent_ > 0) demand = cpu_ns_ / 1000 / sent_;
    return {{"packets", "packets/s", rate},
            {"service_demand", "us/packet", demand},
            {"lost", "packets", std::max(0.0, lost)}};
  }

 private:
  /// What the ports have sent so far; a device without ports counts itself.
  Expected<std::uint64_t> sent_by_ports() {
    const auto links = list_links(netlink_);
    if (!links) return std::unexpected(links.error());
    std::uint64_t by_ports = 0, by_itself = 0;
    bool any_port = false;
    for (const Link& link : *links) {
      if (link.index == device_) by_itself = link.sent_packets;
      if (link.master != device_) continue;
      any_port = true;
      by_ports += link.sent_packets;
    }
    return any_port ? by_ports : by_itself;
  }

  Netlink& netlink_;
  int device_;
  Crew crew_;
  std::int64_t packets_, size_;
  double wall_ns_ = 0, cpu_ns_ = 0, sent_ = 0;
};

}  // namespace

Expected<OperationPtr> make_transmit(const wire::Step& step, Context& context) {
  const auto device = link_index(context.netlink, text_of(step, "device"));
  if (!device) return std::unexpected(device.error());
  return std::make_unique<Transmit>(step, context, *device);
}

}  // namespace bisect_run::agent
