#include "links.h"
#include "ops/ops.h"

namespace bisect_run::agent {
namespace {

constexpr std::int64_t kLastNetwork = 65535;
constexpr std::uint8_t kBits = 24;

/// 10.x.y.1, where x and y are the bytes of `i`.
std::uint32_t address(std::int64_t i) {
  return 0x0a000001U | static_cast<std::uint32_t>(i) << 8;
}

std::string written(std::int64_t i) {
  return "10." + std::to_string(i >> 8) + '.' + std::to_string(i & 255) + ".1/24";
}

class AddressAdd : public Operation {
 public:
  AddressAdd(const wire::Step& step, Context& context)
      : context_(context), prefix_(text_of(step, "prefix")), count_(integer_of(step, "count")) {}

  Outcome run(std::int64_t item) override {
    for (std::int64_t i = item * count_; i < (item + 1) * count_; ++i) AGENT_TRY(add(i));
    return {};
  }

 private:
  Outcome add(std::int64_t i) {
    if (i > kLastNetwork)
      return fault("addresses 10.x.y.1/24 end with item 65535; take fewer items");
    const std::string name = numbered(prefix_, i);
    if (context_.mode == Mode::process)
      return context_.programs.run(
          {context_.ip.c_str(), "addr", "add", written(i).c_str(), "dev", name.c_str()});
    return with_netlink(context_, [&](Netlink& netlink) -> Outcome {
      const auto index = link_index(netlink, name);
      if (!index) return std::unexpected(index.error());
      if (const int error = add_address(netlink, *index, address(i), kBits))
        return os_fault("adding an address to " + name, error);
      return {};
    });
  }

  Context& context_;
  std::string prefix_;
  std::int64_t count_;
};

}  // namespace

Expected<OperationPtr> make_address_add(const wire::Step& step, Context& context) {
  AGENT_TRY(need_ip(context));
  return std::make_unique<AddressAdd>(step, context);
}

}  // namespace bisect_run::agent
