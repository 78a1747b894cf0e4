#include "netlink.h"

#include <cerrno>

#include <sys/socket.h>

namespace bisect_run::agent {

Request::Request(std::uint16_t type, std::uint16_t flags) : size_(NLMSG_HDRLEN) {
  message()->nlmsg_type = type;
  message()->nlmsg_flags = static_cast<std::uint16_t>(flags | NLM_F_REQUEST);
}

void Request::append(const void* value, std::size_t size) {
  const std::size_t padded = NLMSG_ALIGN(size);
  fits_ = fits_ && padded <= buffer_.size() - size_;
  if (!fits_) return;
  if (size > 0) std::memcpy(buffer_.data() + size_, value, size);
  size_ += padded;
  message()->nlmsg_len = static_cast<std::uint32_t>(size_);
}

Request& Request::bytes(std::uint16_t type, const void* value, std::size_t size) {
  const rtattr attribute{static_cast<unsigned short>(RTA_LENGTH(size)), type};
  append(&attribute, sizeof attribute);
  append(value, size);
  return *this;
}

Request& Request::text(std::uint16_t type, std::string_view value) {
  return bytes(type, std::string(value).c_str(), value.size() + 1);
}

std::size_t Request::begin(std::uint16_t type) {
  const std::size_t at = size_;
  bytes(type, nullptr, 0);
  return at;
}

Request& Request::end(std::size_t nest) {
  if (fits_)
    reinterpret_cast<rtattr*>(buffer_.data() + nest)->rta_len =
        static_cast<unsigned short>(size_ - nest);
  return *this;
}

Expected<Netlink> Netlink::open(int protocol, unsigned groups) {
  Fd socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol));
  if (!socket) return os_fault("netlink socket", errno);
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  address.nl_groups = groups;
  if (::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    return os_fault("bind of a netlink socket", errno);
  return Netlink(std::move(socket));
}

int Netlink::send(Request& request) {
  if (!request.fits()) return EMSGSIZE;
  request.message()->nlmsg_seq = ++sequence_;
  sockaddr_nl kernel{};
  kernel.nl_family = AF_NETLINK;
  ssize_t sent;
  do
    sent = ::sendto(socket_.get(), request.message(), request.message()->nlmsg_len, 0,
                    reinterpret_cast<sockaddr*>(&kernel), sizeof kernel);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? errno : 0;
}

int Netlink::receive(const std::function<void(const nlmsghdr&)>& each, bool one) {
  alignas(nlmsghdr) char buffer[32768];
  while (true) {
    const ssize_t got = ::recv(socket_.get(), buffer, sizeof buffer, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    auto left = static_cast<unsigned>(got);
    for (auto* m = reinterpret_cast<nlmsghdr*>(buffer); NLMSG_OK(m, left);
         m = NLMSG_NEXT(m, left)) {
      if (m->nlmsg_seq != sequence_) continue;
      if (m->nlmsg_type == NLMSG_DONE) return 0;
      if (m->nlmsg_type == NLMSG_ERROR) return -static_cast<nlmsgerr*>(NLMSG_DATA(m))->error;
      each(*m);
      if (one) return 0;
    }
  }
}

int Netlink::query(Request& request, const std::function<void(const nlmsghdr&)>& each) {
  const int error = send(request);
  return error ? error : receive(each, false);
}

int Netlink::query_one(Request& request, const std::function<void(const nlmsghdr&)>& each) {
  const int error = send(request);
  return error ? error : receive(each, true);
}

int Netlink::ask(Request& request) {
  request.message()->nlmsg_flags |= NLM_F_ACK;
  return query(request, [](const nlmsghdr&) {});
}

void for_each_attribute(const nlmsghdr& message, std::size_t header,
                        const std::function<void(const rtattr&)>& each) {
  const std::size_t skipped = NLMSG_LENGTH(NLMSG_ALIGN(header));
  if (message.nlmsg_len < skipped) return;
  auto left = static_cast<unsigned>(message.nlmsg_len - skipped);
  const auto* a =
      reinterpret_cast<const rtattr*>(reinterpret_cast<const char*>(&message) + skipped);
  for (; RTA_OK(a, left); a = RTA_NEXT(a, left)) each(*a);
}

std::string_view text_of(const rtattr& attribute) {
  const std::string_view bytes(static_cast<const char*>(RTA_DATA(&attribute)),
                               RTA_PAYLOAD(&attribute));
  return bytes.substr(0, bytes.find('\0'));
}

}  // namespace bisect_run::agent
