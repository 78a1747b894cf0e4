#include <cerrno>

#include "links.h"
#include "new_links.h"
#include "ops/ops.h"
#include "wire/limits.h"

namespace bisect_run::agent {
namespace {

class LinkAdd : public Operation {
 public:
  LinkAdd(const wire::Step& step, Context& context, int parent)
      : context_(context),
        kind_(text_of(step, "kind")),
        prefix_(text_of(step, "prefix")),
        peer_(text_of(step, "peer")),
        parent_name_(text_of(step, "parent")),
        parent_(parent),
        first_id_(integer_of(step, "first_id")),
        up_(flag_of(step, "up")),
        group_(static_cast<std::uint32_t>(integer_of(step, "group"))),
        count_(integer_of(step, "count")) {}

  Outcome run(std::int64_t item) override {
    for (std::int64_t i = item * count_; i < (item + 1) * count_; ++i) AGENT_TRY(add(i));
    return {};
  }

 private:
  Outcome add(std::int64_t i) {
    if (kind_ == "vlan" && i > wire::kLastVlanId - first_id_)
      return fault("vlan ids end at 4094, so item " + std::to_string(i) + " has none on " +
                   parent_name_ + "; take fewer items, or a second parent");
    const NewLink link{.kind = kind_,
                       .name = numbered(prefix_, i),
                       .peer = kind_ == "veth" ? numbered(peer_, i) : std::string(),
                       .parent = parent_,
                       .vlan_id = static_cast<std::uint16_t>(kind_ == "vlan" ? first_id_ + i : 0),
                       .up = up_,
                       .group = group_};
    if (context_.mode == Mode::process) return start(link);
    return with_netlink(context_, [&](Netlink& netlink) -> Outcome {
      if (const int error = add_link(netlink, link)) return fault_of(link, error);
      return {};
    });
  }

  std::unexpected<Fault> fault_of(const NewLink& link, int error) const {
    if (error == ENODEV && parent_)
      return fault("adding " + link.name + ": the device below it, " + parent_name_ +
                   ", has vanished since the loop began");
    return add_link_fault(link, error);
  }

  Outcome start(const NewLink& link) {
    Outcome done = context_.programs.run(command(link));
    if (done) return done;
    const auto said = [&](const char* words) {
      return done.error().reason.find(words) != std::string::npos;
    };
    if (said("Unknown device type") || said("Operation not supported"))
      return add_link_fault(link, EOPNOTSUPP);
    if (said("Cannot find device")) return fault_of(link, ENODEV);
    return done;
  }

  std::vector<std::string> command(const NewLink& link) const {
    std::vector<std::string> words{context_.ip, "link", "add"};
    if (parent_) words.insert(words.end(), {"link", parent_name_});
    words.insert(words.end(), {"name", link.name});
    if (up_) words.emplace_back("up");
    if (group_) words.insert(words.end(), {"group", std::to_string(group_)});
    words.insert(words.end(), {"type", kind_});
    if (kind_ == "veth") words.insert(words.end(), {"peer", "name", link.peer});
    if (kind_ == "vlan") words.insert(words.end(), {"id", std::to_string(link.vlan_id)});
    return words;
  }

  Context& context_;
  std::string kind_, prefix_, peer_, parent_name_;
  int parent_;
  std::int64_t first_id_;
  bool up_;
  std::uint32_t group_;
  std::int64_t count_;
};

}  // namespace

Expected<OperationPtr> make_link_add(const wire::Step& step, Context& context) {
  AGENT_TRY(need_ip(context));
  const std::string &kind = text_of(step, "kind"), &parent = text_of(step, "parent");
  if (kind != "macvlan" && kind != "vlan") return std::make_unique<LinkAdd>(step, context, 0);
  if (parent.empty()) return fault(kind + " needs the parameter 'parent'");
  const auto index = link_index(context.netlink, parent);
  if (!index) return std::unexpected(index.error());
  return std::make_unique<LinkAdd>(step, context, *index);
}

}  // namespace bisect_run::agent
