#include "vm/mailbox.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

namespace bisect_run::vm {
namespace {

using namespace std::chrono_literals;

auto soon() {
  return Domain::Clock::now() + 10s;
}

TEST(Mailbox, GivesEachByteOnce) {
  Mailbox box;
  box.receive("ab");
  box.receive("c");
  EXPECT_EQ(box.wait(soon(), {}).received, "abc");
  EXPECT_EQ(box.wait(Domain::Clock::now(), {}).received, "");
}

TEST(Mailbox, TheFirstEndCounts) {
  Mailbox box;
  EXPECT_EQ(box.ended(), DomainEnd::running);
  box.end(DomainEnd::crashed);
  box.end(DomainEnd::destroyed);
  EXPECT_EQ(box.wait(soon(), {}).end, DomainEnd::crashed);
  EXPECT_EQ(box.wait(Domain::Clock::now(), {}).end, DomainEnd::crashed);
}

TEST(Mailbox, AnEndToldOnceDoesNotWakeAgain) {
  Mailbox box;
  box.end(DomainEnd::shut_off);
  box.close_channel();
  (void)box.wait(soon(), {});
  const auto before = Domain::Clock::now();
  EXPECT_TRUE(box.wait(before + 30ms, {}).channel_closed);
  EXPECT_GE(Domain::Clock::now() - before, 30ms);
}

TEST(Mailbox, BytesAndStopWakeTheOwner) {
  Mailbox box;
  std::jthread writer([&] { box.receive("x"); });
  EXPECT_EQ(box.wait(soon(), {}).received, "x");
  std::stop_source stop;
  std::jthread stopper([&] { stop.request_stop(); });
  const auto before = Domain::Clock::now();
  (void)box.wait(before + 10s, stop.get_token());
  EXPECT_LT(Domain::Clock::now() - before, 5s);
}

TEST(Mailbox, AFloodClosesTheChannelAndMemoryStaysBounded) {
  Mailbox box;
  const std::string part(1024 * 1024, 'x');
  for (int i = 0; i < 10; ++i) box.receive(part);
  const auto news = box.wait(soon(), {});
  EXPECT_TRUE(news.channel_closed);
  EXPECT_LE(news.received.size(), Mailbox::kMostUnread);
}

}  // namespace
}  // namespace bisect_run::vm
