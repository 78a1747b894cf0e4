#include "wire/operation_rows.h"

namespace bisect_run::wire {
namespace {

// A name below /run/netns has room for more, but names stay readable in tables.
constexpr std::int64_t kLongestPrefix = 64;
// Network device names hold 15 bytes; the number takes 11 of them, as in the 2014 script.
constexpr std::int64_t kLongestLinkPrefix = 4;
constexpr std::int64_t kMostNamespaces = 1'000'000;

ParameterSpec prefix() {
  return prefix_parameter("prefix", "first part of the namespace's name", "ns", kLongestPrefix);
}

ParameterSpec count() {
  return integer_parameter("count", "how many namespaces one item makes or works on", 1,
                           kMostNamespaces, 1);
}

}  // namespace

std::vector<OperationSpec> netns_rows() {
  return {
      {.name = "netns_add",
       .meaning = "Makes a named network namespace, as `ip netns add` does.",
       .modes = {"process", "fork", "direct"},
       .parameters = {prefix(), count()},
       .outputs = {}},
      {.name = "netns_exec",
       .meaning =
           "Enters the item's namespace as `ip netns exec` does (with a mount namespace and a "
           "/sys of its own) and does one thing there.",
       .modes = {"process", "fork"},
       .parameters = {prefix(),
                      choice_parameter("do",
                                       "what to do inside: nothing (the command `true`), set "
                                       "lo up, or allow IPv4 forwarding",
                                       {"nothing", "lo_up", "ip_forward"})},
       .outputs = {}},
      {.name = "netns_delete",
       .meaning = "Removes the name of the item's namespace, as `ip netns del` does; the kernel "
                  "tears the namespace down later.",
       .modes = {"process", "fork", "direct"},
       .parameters = {prefix(), count()},
       .outputs = {}},
      {.name = "netns_drain",
       .meaning = "Waits until the kernel has torn down every namespace deleted before. The same "
                  "in every mode; meant for a loop of one item.",
       .modes = {"process", "fork", "direct"},
       .parameters = {},
       .outputs = {}},
      {.name = "veth_into_netns",
       .meaning = "Makes a veth pair whose inner end is born in the item's namespace.",
       .modes = {"process", "fork", "direct"},
       .parameters = {prefix(),
                      prefix_parameter("outer", "first part of the outer end's name", "qro-",
                                       kLongestLinkPrefix),
                      prefix_parameter("inner", "first part of the inner end's name", "qri-",
                                       kLongestLinkPrefix)},
       .outputs = {}},
      {.name = "setns",
       .meaning =
           "Moves the measuring thread into the namespace numbered item modulo `among`, by a "
           "descriptor opened before. The same direct call in every mode.",
       .modes = {"process", "fork", "direct"},
       .parameters = {prefix(), integer_parameter("among", "how many namespaces take turns", 1,
                                                  kMostNamespaces, 2)},
       .outputs = {}},
  };
}

}  // namespace bisect_run::wire
