#pragma once

#include "child.h"
#include "netlink.h"

namespace bisect_run::agent {

/// A veth end in one more namespace. It vanishes when the kernel tears that namespace down, which
/// it does after those that were let go before, or together with them.
class Witness {
 public:
  static Expected<Witness> place(Netlink& netlink);
  /// Lets the namespace go and waits until the veth end has vanished, at most 60 s.
  Outcome outlive(Netlink& netlink);

 private:
  Witness(NetnsHolder holder, Netlink news) : holder_(std::move(holder)), news_(std::move(news)) {}

  NetnsHolder holder_;
  Netlink news_;  ///< wakes up when devices come or go
};

/// Waits until every network namespace that was let go before this call is really gone.
///
/// The kernel tears namespaces down in one work item, batch after batch, long after their names are
/// removed. A witness (a veth end in one more dead namespace) vanishes in a later batch or in the
/// same; a second witness, let go after the first has vanished, can only be in a later one. Where
/// the kernel has no veth, the count of live namespaces in /proc/slabinfo must stand still instead.
Outcome drain_netns(Netlink& netlink);

/// Deletes what is left of earlier work in this guest, or in these namespaces of our own: every
/// named network namespace, every virtual device; then drains. Nothing is left behind but what the
/// kernel cannot delete.
Outcome empty_guest(Netlink& netlink);

}  // namespace bisect_run::agent
