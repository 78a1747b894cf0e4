#include <cerrno>

#include "links.h"
#include "ops/ops.h"

namespace bisect_run::agent {
namespace {

class LinkDeleteGroup : public Operation {
 public:
  LinkDeleteGroup(const wire::Step& step, Context& context)
      : context_(context), group_(static_cast<std::uint32_t>(integer_of(step, "group"))) {}

  Outcome run(std::int64_t) override {
    if (context_.mode == Mode::process)
      return context_.programs.run(
          {context_.ip.c_str(), "link", "delete", "group", std::to_string(group_).c_str()});
    return with_netlink(context_, [&](Netlink& netlink) -> Outcome {
      const int error = delete_by_group(netlink, group_);
      if (error == EINVAL) return unavailable("deleting a group of devices: since Linux 4.1");
      if (error) return os_fault("deleting the device group " + std::to_string(group_), error);
      return {};
    });
  }

 private:
  Context& context_;
  std::uint32_t group_;
};

}  // namespace

Expected<OperationPtr> make_link_delete_group(const wire::Step& step, Context& context) {
  AGENT_TRY(need_ip(context));
  return std::make_unique<LinkDeleteGroup>(step, context);
}

}  // namespace bisect_run::agent
