#include "child.h"
#include "netns.h"
#include "ops/ops.h"

namespace bisect_run::agent {
namespace {

class NetnsAdd : public Operation {
 public:
  NetnsAdd(const wire::Step& step, Context& context, Fd home)
      : context_(context),
        prefix_(text_of(step, "prefix")),
        count_(integer_of(step, "count")),
        home_(std::move(home)) {}

  Outcome run(std::int64_t item) override {
    for (std::int64_t i = item * count_; i < (item + 1) * count_; ++i)
      AGENT_TRY(add(numbered(prefix_, i)));
    return {};
  }

 private:
  Outcome add(const std::string& name) {
    switch (context_.mode) {
      case Mode::process:
        return context_.programs.run({context_.ip.c_str(), "netns", "add", name.c_str()});
      case Mode::fork:
        // The child ends without going home: its namespace proxy is then the only private one, as
        // with the `ip` of 2014, and exactly one last reference is dropped.
        return in_child([&]() -> Outcome {
          const auto netlink = Netlink::open();  // `ip` opens one before it reads its arguments
          if (!netlink) return std::unexpected(netlink.error());
          return add_netns(name);
        });
      case Mode::direct: {
        const Outcome added = add_netns(name);
        AGENT_TRY(set_netns(home_));
        return added;
      }
    }
    return {};
  }

  Context& context_;
  std::string prefix_;
  std::int64_t count_;
  Fd home_;  ///< only in mode direct
};

}  // namespace

Expected<OperationPtr> make_netns_add(const wire::Step& step, Context& context) {
  AGENT_TRY(need_ip(context));
  Fd home;
  if (context.mode == Mode::direct) {
    auto own = own_netns();
    if (!own) return std::unexpected(own.error());
    home = std::move(*own);
  }
  return std::make_unique<NetnsAdd>(step, context, std::move(home));
}

}  // namespace bisect_run::agent
