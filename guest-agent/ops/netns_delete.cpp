#include "child.h"
#include "netns.h"
#include "ops/ops.h"

namespace bisect_run::agent {
namespace {

class NetnsDelete : public Operation {
 public:
  NetnsDelete(const wire::Step& step, Context& context)
      : context_(context), prefix_(text_of(step, "prefix")), count_(integer_of(step, "count")) {}

  Outcome run(std::int64_t item) override {
    for (std::int64_t i = item * count_; i < (item + 1) * count_; ++i)
      AGENT_TRY(remove(numbered(prefix_, i)));
    return {};
  }

 private:
  Outcome remove(const std::string& name) {
    switch (context_.mode) {
      case Mode::process:
        return context_.programs.run({context_.ip.c_str(), "netns", "del", name.c_str()});
      case Mode::fork:
        return in_child([&] { return delete_netns(name); });
      case Mode::direct:
        return delete_netns(name);
    }
    return {};
  }

  Context& context_;
  std::string prefix_;
  std::int64_t count_;
};

}  // namespace

Expected<OperationPtr> make_netns_delete(const wire::Step& step, Context& context) {
  AGENT_TRY(need_ip(context));
  return std::make_unique<NetnsDelete>(step, context);
}

}  // namespace bisect_run::agent
