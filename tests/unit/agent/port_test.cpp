#include "port.h"

#include <gtest/gtest.h>

#include "wire/messages.h"

namespace bisect_run::agent {
namespace {

struct Pipes {
  Fd to_agent, from_agent;
  Port port;
};

Pipes pipes() {
  int in[2], out[2];
  EXPECT_EQ(::pipe(in), 0);
  EXPECT_EQ(::pipe(out), 0);
  return {Fd(in[1]), Fd(out[0]), Port(Fd(in[0]), Fd(out[1]))};
}

void put(const Fd& fd, const std::string& text) {
  ASSERT_EQ(::write(fd.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

TEST(PortTest, LinesComeWhole) {
  Pipes p = pipes();
  put(p.to_agent, "one\ntw");
  EXPECT_TRUE(p.port.fill());
  EXPECT_EQ(p.port.next_line(), "one");
  EXPECT_EQ(p.port.next_line(), std::nullopt);
  put(p.to_agent, "o\n");
  EXPECT_TRUE(p.port.fill());
  EXPECT_EQ(p.port.next_line(), "two");
  p.to_agent.close();
  EXPECT_FALSE(p.port.fill());
}

TEST(PortTest, AnEndlessLineIsDroppedAndTheNextOneRead) {
  Pipes p = pipes();
  const std::string part(30'000, 'x');
  for (int i = 0; i < 5; ++i) {
    put(p.to_agent, part);
    EXPECT_TRUE(p.port.fill());
    EXPECT_EQ(p.port.next_line(), std::nullopt);
  }
  put(p.to_agent, "rest\nnext\n");
  EXPECT_TRUE(p.port.fill());
  EXPECT_EQ(p.port.next_line(), "next");
}

TEST(PortTest, AHostThatDoesNotReadIsGivenUp) {
  Pipes p = pipes();
  EXPECT_TRUE(p.port.write("short", 10));
  EXPECT_FALSE(p.port.write(std::string(1 << 20, 'x'), 10));
}

}  // namespace
}  // namespace bisect_run::agent
