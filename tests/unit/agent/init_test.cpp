#include "init.h"

#include <gtest/gtest.h>

#include "wire/messages.h"

namespace bisect_run::agent {
namespace {

TEST(Silence, TheLastWordOfTheCommandLineCounts) {
  EXPECT_EQ(silence_s("console=ttyS0 quiet"), wire::kHostSilence_s);
  EXPECT_EQ(silence_s("quiet bisect_agent.silence=600\n"), 600);
  // A remedy for old trees asks for more patience, the virtual clock after it for all of it.
  EXPECT_EQ(silence_s("quiet bisect_agent.silence=600 bisect_agent.silence=0\n"), 0);
}

}  // namespace
}  // namespace bisect_run::agent
