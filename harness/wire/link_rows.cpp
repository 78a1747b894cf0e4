#include "wire/limits.h"
#include "wire/operation_rows.h"

namespace bisect_run::wire {
namespace {

// Network device names hold 15 bytes: nine of prefix leave six digits for the number.
constexpr std::int64_t kLongestPrefix = 9;
constexpr std::int64_t kLongestName = 15;
constexpr std::int64_t kMostLinks = 1'000'000;

ParameterSpec prefix() {
  return prefix_parameter("prefix", "first part of the device's name", "if", kLongestPrefix);
}

ParameterSpec count() {
  return integer_parameter("count", "how many devices one item makes or works on", 1, kMostLinks,
                           1);
}

ParameterSpec optional_name(std::string_view name, std::string_view meaning) {
  ParameterSpec spec = prefix_parameter(name, meaning, "", kLongestName);
  spec.minimum = 0;
  return spec;
}

ParameterSpec flag(std::string_view name, std::string_view meaning) {
  return {.name = name,
          .type = ParameterType::boolean,
          .meaning = meaning,
          .fallback = false,
          .choices = {}};
}

OperationSpec link_add() {
  return {
      .name = "link_add",
      .meaning = "Makes a network device, for veth a pair of them.",
      .modes = {"process", "fork", "direct"},
      .parameters =
          {choice_parameter("kind", "what to make", {"dummy", "veth", "macvlan", "vlan"}), prefix(),
           prefix_parameter("peer", "veth: first part of the other end's name", "peer",
                            kLongestPrefix),
           optional_name("parent",
                         "macvlan and vlan, which need it: whole name of the device "
                         "below, such as `par0`"),
           integer_parameter("first_id", "vlan: id of item 0; the others follow", 1, kLastVlanId,
                             1),
           flag("up", "set it up in the same request; of a pair the first end, see link_up"),
           integer_parameter("group", "device group, for link_delete_group", 0, 1'000'000, 0),
           count()},
      .outputs = {}};
}

}  // namespace

std::vector<OperationSpec> link_rows() {
  return {
      link_add(),
      {.name = "link_up",
       .meaning = "Sets a device up.",
       .modes = {"process", "fork", "direct"},
       .parameters = {prefix(), count()},
       .outputs = {}},
      {.name = "address_add",
       .meaning =
           "Gives a device the IPv4 address 10.x.y.1/24, where x and y are the number of the "
           "item (so up to 65536 of them).",
       .modes = {"process", "fork", "direct"},
       .parameters = {prefix(), count()},
       .outputs = {}},
      {.name = "link_delete",
       .meaning = "Deletes a device; of a veth pair both ends go.",
       .modes = {"process", "fork", "direct"},
       .parameters = {prefix(), count()},
       .outputs = {}},
      {.name = "link_delete_group",
       .meaning = "Deletes all devices of a group in one request (Linux 4.1 and later).",
       .modes = {"process", "fork", "direct"},
       .parameters = {integer_parameter("group", "device group", 1, 1'000'000, 1)},
       .outputs = {}},
  };
}

}  // namespace bisect_run::wire
