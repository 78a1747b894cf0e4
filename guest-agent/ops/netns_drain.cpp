#include "drain.h"
#include "ops/ops.h"

namespace bisect_run::agent {
namespace {

class NetnsDrain : public Operation {
 public:
  NetnsDrain(Context& context, Witness witness) : context_(context), witness_(std::move(witness)) {}

  Outcome run(std::int64_t item) override {
    if (item > 0) {  // only the first was made outside of the timed span
      auto next = Witness::place(context_.netlink);
      if (!next) return std::unexpected(next.error());
      witness_ = std::move(*next);
    }
    return witness_.outlive(context_.netlink);
  }

 private:
  Context& context_;
  Witness witness_;
};

}  // namespace

Expected<OperationPtr> make_netns_drain(const wire::Step&, Context& context) {
  auto witness = Witness::place(context.netlink);
  if (!witness) return std::unexpected(witness.error());
  return std::make_unique<NetnsDrain>(context, std::move(*witness));
}

}  // namespace bisect_run::agent
