#include "links.h"
#include "ops/ops.h"

namespace bisect_run::agent {
namespace {

class LinkUp : public Operation {
 public:
  LinkUp(const wire::Step& step, Context& context)
      : context_(context), prefix_(text_of(step, "prefix")), count_(integer_of(step, "count")) {}

  Outcome run(std::int64_t item) override {
    for (std::int64_t i = item * count_; i < (item + 1) * count_; ++i)
      AGENT_TRY(set_up(numbered(prefix_, i)));
    return {};
  }

 private:
  Outcome set_up(const std::string& name) {
    if (context_.mode == Mode::process)
      return context_.programs.run({context_.ip.c_str(), "link", "set", "dev", name.c_str(), "up"});
    return with_netlink(context_, [&](Netlink& netlink) -> Outcome {
      const auto index = link_index(netlink, name);
      if (!index) return std::unexpected(index.error());
      if (const int error = set_link_up(netlink, *index, true))
        return os_fault("setting " + name + " up", error);
      return {};
    });
  }

  Context& context_;
  std::string prefix_;
  std::int64_t count_;
};

}  // namespace

Expected<OperationPtr> make_link_up(const wire::Step& step, Context& context) {
  AGENT_TRY(need_ip(context));
  return std::make_unique<LinkUp>(step, context);
}

}  // namespace bisect_run::agent
