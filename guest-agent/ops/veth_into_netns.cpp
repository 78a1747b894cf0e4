#include "links.h"
#include "netns.h"
#include "ops/ops.h"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>

namespace bisect_run::agent {
namespace {

/// A prefix and eleven digits: as long as the names of 2014, a prefix and the first eleven
/// characters of a UUID.
std::string link_name(const std::string& prefix, std::int64_t item) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%011lld", static_cast<long long>(item));
  return prefix + digits;
}

Outcome add(Netlink& netlink, const std::string& netns, const std::string& outer,
            const std::string& inner) {
  const std::string path = netns_path(netns);
  const Fd place = open_file(path.c_str(), O_RDONLY);
  if (!place) return os_fault(path, errno);
  if (const int error = add_veth(netlink, outer, inner, {.netns_fd = place.get(), .netns_pid = -1}))
    return os_fault("adding the veth pair " + outer, error);
  return {};
}

class VethIntoNetns : public Operation {
 public:
  VethIntoNetns(const wire::Step& step, Context& context)
      : context_(context),
        prefix_(text_of(step, "prefix")),
        outer_(text_of(step, "outer")),
        inner_(text_of(step, "inner")) {}

  Outcome run(std::int64_t item) override {
    const std::string netns = numbered(prefix_, item), outer = link_name(outer_, item),
                      inner = link_name(inner_, item);
    if (context_.mode == Mode::process)
      return context_.programs.run({context_.ip.c_str(), "link", "add", outer.c_str(), "type",
                                    "veth", "peer", "name", inner.c_str(), "netns", netns.c_str()});
    return with_netlink(context_,
                        [&](Netlink& netlink) { return add(netlink, netns, outer, inner); });
  }

 private:
  Context& context_;
  std::string prefix_, outer_, inner_;
};

}  // namespace

Expected<OperationPtr> make_veth_into_netns(const wire::Step& step, Context& context) {
  AGENT_TRY(need_ip(context));
  return std::make_unique<VethIntoNetns>(step, context);
}

}  // namespace bisect_run::agent
