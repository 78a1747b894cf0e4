#include "sender.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <poll.h>
#include <sys/socket.h>

namespace bisect_run::agent {
namespace {

constexpr std::size_t kBatch = 64;
constexpr std::uint16_t kExperimental = 0x88b5;  // IEEE 802, local experimental EtherType 1
constexpr int kQdiscBypass = 20;                 // PACKET_QDISC_BYPASS
constexpr int kStuck_ms = 10'000;

struct Batch {
  std::array<char, ETH_FRAME_LEN> frame{};
  iovec piece{};
  std::array<mmsghdr, kBatch> messages{};

  explicit Batch(std::size_t size) {
    const ether_header header{.ether_dhost = {2, 0, 0, 0, 0, 1},
                              .ether_shost = {2, 0, 0, 0, 0, 2},
                              .ether_type = htons(kExperimental)};
    std::memcpy(frame.data(), &header, sizeof header);
    piece = {.iov_base = frame.data(), .iov_len = size};
    for (mmsghdr& message : messages) {
      message.msg_hdr.msg_iov = &piece;
      message.msg_hdr.msg_iovlen = 1;
    }
  }
};

Expected<Fd> open_socket(int index) {
  Fd socket(::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0));  // protocol 0: receives nothing
  if (!socket) return os_fault("packet socket", errno);
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_ifindex = index;
  if (::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    return os_fault("bind of a packet socket", errno);
  const int yes = 1;
  (void)::setsockopt(socket.get(), SOL_PACKET, kQdiscBypass, &yes, sizeof yes);
  return socket;
}

}  // namespace

Outcome send_frames(int index, std::int64_t packets, std::int64_t size) {
  auto socket = open_socket(index);
  if (!socket) return std::unexpected(socket.error());
  Batch batch(static_cast<std::size_t>(size));
  while (packets > 0) {
    const auto wanted = static_cast<unsigned>(std::min<std::int64_t>(packets, kBatch));
    const int sent = ::sendmmsg(socket->get(), batch.messages.data(), wanted, 0);
    if (sent > 0) {
      packets -= sent;
    } else if (errno == ENOBUFS) {
      --packets;  // the device dropped it: loss, which the caller sees in the ports' counts
    } else if (errno == EAGAIN) {
      pollfd waiting{.fd = socket->get(), .events = POLLOUT, .revents = 0};
      if (::poll(&waiting, 1, kStuck_ms) == 0) return fault("the device takes no more packets");
    } else if (errno != EINTR) {
      return os_fault("sending packets", errno);
    }
  }
  return {};
}

}  // namespace bisect_run::agent
