#include "links.h"
#include "ops/ops.h"

namespace bisect_run::agent {
namespace {

class LinkDelete : public Operation {
 public:
  LinkDelete(const wire::Step& step, Context& context)
      : context_(context), prefix_(text_of(step, "prefix")), count_(integer_of(step, "count")) {}

  Outcome run(std::int64_t item) override {
    for (std::int64_t i = item * count_; i < (item + 1) * count_; ++i)
      AGENT_TRY(remove(numbered(prefix_, i)));
    return {};
  }

 private:
  Outcome remove(const std::string& name) {
    if (context_.mode == Mode::process)
      return context_.programs.run({context_.ip.c_str(), "link", "delete", "dev", name.c_str()});
    return with_netlink(context_, [&](Netlink& netlink) -> Outcome {
      if (const int error = delete_link(netlink, name)) return os_fault("deleting " + name, error);
      return {};
    });
  }

  Context& context_;
  std::string prefix_;
  std::int64_t count_;
};

}  // namespace

Expected<OperationPtr> make_link_delete(const wire::Step& step, Context& context) {
  AGENT_TRY(need_ip(context));
  return std::make_unique<LinkDelete>(step, context);
}

}  // namespace bisect_run::agent
