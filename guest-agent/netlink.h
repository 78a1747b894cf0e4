#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>

#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "sys.h"

// Netlink by hand: one request, one answer. No library's cache adds requests inside a measurement.

namespace bisect_run::agent {

/// One message under construction. Nests are left without NLA_F_NESTED: every kernel takes plain
/// ones. Attributes beyond the buffer's end are dropped and make `fits` false.
class Request {
 public:
  Request(std::uint16_t type, std::uint16_t flags);

  /// Appends a fixed header: ifinfomsg, ifaddrmsg, genlmsghdr.
  template <class T>
  Request& header(const T& value) {
    append(&value, sizeof value);
    return *this;
  }
  Request& bytes(std::uint16_t type, const void* value, std::size_t size);
  Request& text(std::uint16_t type, std::string_view value);  ///< with its ending zero byte
  template <class T>
  Request& number(std::uint16_t type, T value) {
    return bytes(type, &value, sizeof value);
  }
  /// Opens a nest; `end` with what `begin` returned closes it.
  std::size_t begin(std::uint16_t type);
  Request& end(std::size_t nest);

  bool fits() const { return fits_; }
  nlmsghdr* message() { return reinterpret_cast<nlmsghdr*>(buffer_.data()); }

 private:
  void append(const void* value, std::size_t size);

  alignas(nlmsghdr) std::array<char, 1024> buffer_{};
  std::size_t size_;
  bool fits_ = true;
};

/// A netlink socket. It belongs to the network namespace in which it was opened, for good.
class Netlink {
 public:
  static Expected<Netlink> open(int protocol = NETLINK_ROUTE, unsigned groups = 0);

  /// Sends `request` with NLM_F_ACK and waits for the answer: 0 or an errno.
  int ask(Request& request);
  /// Sends a dump or a query; calls `each` for every answer. 0 or an errno.
  int query(Request& request, const std::function<void(const nlmsghdr&)>& each);
  /// Sends a query that has exactly one answer, and calls `each` for it. 0 or an errno.
  int query_one(Request& request, const std::function<void(const nlmsghdr&)>& each);
  int fd() const { return socket_.get(); }

 private:
  explicit Netlink(Fd socket) : socket_(std::move(socket)) {}
  int send(Request& request);
  int receive(const std::function<void(const nlmsghdr&)>& each, bool one);

  Fd socket_;
  std::uint32_t sequence_ = 0;
};

/// The attributes of a message behind a fixed header of `header` bytes.
void for_each_attribute(const nlmsghdr& message, std::size_t header,
                        const std::function<void(const rtattr&)>& each);
std::string_view text_of(const rtattr& attribute);
/// The fixed-size value of an attribute; zeroes where it is shorter.
template <class T>
T number_of(const rtattr& attribute) {
  T value{};
  std::memcpy(&value, RTA_DATA(&attribute),
              std::min<std::size_t>(sizeof value, RTA_PAYLOAD(&attribute)));
  return value;
}

}  // namespace bisect_run::agent
