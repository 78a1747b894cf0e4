#include "store/store.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "support/store_facts.h"
#include "support/temp_dir.h"

namespace bisect_run::store {
namespace {

using test::some_image;
using test::some_request;
using test::some_sample;
using test::some_start;

class StoreTest : public ::testing::Test {
 protected:
  Store open() {
    auto opened = Store::open(file());
    if (!opened) throw std::runtime_error(opened.error().message + " " + opened.error().detail);
    return std::move(*opened);
  }
  std::filesystem::path file() const { return directory_ / "results" / "results.db"; }

  test::TempDir directory_;
};

TEST_F(StoreTest, ARunComesBackWhole) {
  Provenance provenance{"name: x\n", "sd",    "ad",  "0.1.0", "h",     "Some CPU",
                        16,          "6.1.0", "7.2", "9.0",   "gcc 12"};
  std::string id;
  {
    auto store = open();
    id = store.begin_run(some_request(), provenance).value();
    EXPECT_TRUE(store.run(id)->live);
    ASSERT_TRUE(store.set_status(id, RunStatus::answered, "done"));
    Answer answer;
    answer.kind = Answer::Kind::commit;
    answer.commits = {{{std::string(40, 'b')}, "subject", 1, {}}};
    ASSERT_TRUE(store.save_answer(id, answer));
    ASSERT_TRUE(store.save_probes(id, std::vector<Probe>{{{"x"}, "old", Outcome::bad, "", 1, {}}}));
    const std::vector<Probe> probes{
        {{std::string(40, 'a')}, "s\xe9", Outcome::good, "like good", 3, 12.5},
        {{std::string(40, 'b')}, "t", Outcome::skip, "panic", 0, {}}};
    ASSERT_TRUE(store.save_probes(id, probes));
    ASSERT_TRUE(store.journal(id, "build", "aaaa", 1.5));
  }
  const auto store = Store::open_read_only(file());
  ASSERT_TRUE(store) << store.error().message;
  const auto record = store->run(id);
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(record->status, RunStatus::answered);
  EXPECT_EQ(record->message, "done");
  EXPECT_EQ(record->provenance, provenance);
  EXPECT_EQ(record->request.kernels, some_request().kernels);
  EXPECT_TRUE(record->ended_at.has_value());
  EXPECT_FALSE(record->live);
  ASSERT_TRUE(record->answer.has_value());
  EXPECT_EQ(record->answer->commits[0].subject, "subject");
  EXPECT_DOUBLE_EQ(record->elapsed, 1.5);
  const auto probes = store->probes(id);
  ASSERT_EQ(probes->size(), 2u);
  EXPECT_EQ((*probes)[0].subject, "s\xe9");
  EXPECT_EQ((*probes)[0].value, 12.5);
  EXPECT_EQ((*probes)[1].outcome, Outcome::skip);
  EXPECT_EQ((*probes)[1].value, std::nullopt);
  const auto journal = store->journal(id);
  ASSERT_EQ(journal->size(), 1u);
  EXPECT_EQ((*journal)[0].stage, "build");
}

TEST_F(StoreTest, HistoryComesBackWhole) {
  auto store = open();
  const auto id = store.begin_run(some_request(), {}).value();
  const auto start = some_start('a');
  ASSERT_TRUE(store.built(id, start.spec, some_image('a')));
  ASSERT_TRUE(
      store.built(id, some_start('b').spec, fail(ErrorKind::skip_build, "no such header", "tail")));
  const auto boot = store.boot_started(id, start).value();
  const Handshake hello{"6.1.0", "id", "cd", "quiet", "ad", 2, "tsc", 31, "0-1", 0.8};
  ASSERT_TRUE(store.handshake(boot, hello));
  ASSERT_TRUE(store.sample(boot, some_sample(1)));
  ASSERT_TRUE(store.sample(boot, some_sample(0)));
  Sample counter;
  counter.metric = "cycles";
  counter.unit = "count";
  ASSERT_TRUE(store.sample(boot, counter));
  Boot result;
  result.domain = "bisect-run-x";
  result.machine = {2, 512, "kvm", "real"};
  result.cmdline = "panic=-1";
  result.outcome = BootOutcome::complete;
  result.console_tail = "last words";
  result.wall_seconds = 3.5;
  result.destroy_seconds = 0.1;
  result.host = {.load = 1.5, .others = 0.25, .steal = {}, .mhz = 2400.0, .suspended_s = 3};
  ASSERT_TRUE(store.boot_ended(boot, result, 42.5));

  const auto history = store.history(id);
  ASSERT_TRUE(history) << history.error().message;
  EXPECT_DOUBLE_EQ(history->elapsed, 42.5);
  ASSERT_EQ(history->builds.size(), 2u);
  const auto& image = history->builds[0].image.value();
  const auto wanted = some_image('a');
  EXPECT_EQ(history->builds[0].spec, start.spec);
  EXPECT_EQ(image.build_key, wanted.build_key);
  EXPECT_EQ(image.signature, wanted.signature);
  EXPECT_EQ(image.build_id, wanted.build_id);
  EXPECT_EQ(image.compiler, wanted.compiler);
  EXPECT_EQ(image.bzimage, wanted.bzimage);
  EXPECT_EQ(image.config, wanted.config);
  EXPECT_EQ(image.boot_args, wanted.boot_args);
  EXPECT_EQ(image.offload, "all");
  EXPECT_FALSE(image.cached);
  EXPECT_DOUBLE_EQ(image.build_seconds, 12.5);
  ASSERT_EQ(image.ledger.size(), 2u);
  EXPECT_EQ(image.ledger[1].symbol, "RCU_LAZY");
  EXPECT_EQ(image.ledger[1].fate, LedgerFate::unknown_symbol);
  EXPECT_TRUE(image.ledger[0].must);
  ASSERT_EQ(image.remedies.size(), 2u);
  EXPECT_EQ(image.remedies[1].name, "acpi");
  EXPECT_EQ(image.remedies[1].did, "CONFIG_ACPI=n");
  EXPECT_EQ(history->builds[1].error->kind, ErrorKind::skip_build);
  EXPECT_EQ(history->builds[1].error->message, "no such header");
  EXPECT_EQ(history->builds[1].error->detail, "tail");

  ASSERT_EQ(history->boots.size(), 1u);
  const auto& record = history->boots[0];
  EXPECT_EQ(record.id, boot);
  EXPECT_EQ(record.spec, start.spec);
  EXPECT_EQ(record.signature, start.signature);
  EXPECT_DOUBLE_EQ(record.ended_at, 42.5);
  EXPECT_EQ(record.boot.outcome, BootOutcome::complete);
  EXPECT_EQ(record.boot.machine, (Machine{2, 512, "kvm", "real"}));
  EXPECT_EQ(record.boot.cmdline, "panic=-1");
  EXPECT_EQ(record.boot.console_tail, "last words");
  EXPECT_EQ(record.boot.host, result.host);
  EXPECT_EQ(record.boot.handshake->clock_resolution_ns, 31);
  EXPECT_EQ(record.boot.handshake->offloaded, "0-1");
  ASSERT_EQ(record.samples.size(), 3u);
  EXPECT_EQ(record.samples[0].chunk, 0);
  EXPECT_EQ(record.samples[1].chunk, 1);
  EXPECT_EQ(record.samples[1].wall_ns, 1'000'001);
  EXPECT_EQ(record.samples[1].user_ns, 5);
  EXPECT_EQ(record.samples[1].system_ns, std::nullopt);
  EXPECT_EQ(record.samples[1].unit, "items/s");
  EXPECT_EQ(record.samples[2].metric, "cycles");
  EXPECT_EQ(record.samples[2].value, std::nullopt);
}

TEST_F(StoreTest, ASampleIsTakenOnce) {
  auto store = open();
  const auto id = store.begin_run(some_request(), {}).value();
  const auto boot = store.boot_started(id, some_start('a')).value();
  ASSERT_TRUE(store.sample(boot, some_sample(0)));
  const auto again = store.sample(boot, some_sample(0));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, ErrorKind::skip_guest);
  EXPECT_TRUE(store.sample(boot, some_sample(1)));
  Sample endless = some_sample(2);
  endless.value = std::numeric_limits<double>::infinity();
  EXPECT_EQ(store.sample(boot, endless).error().kind, ErrorKind::skip_guest);
  EXPECT_EQ(store.sample(boot + 1, some_sample(3)).error().kind, ErrorKind::bug);
  EXPECT_EQ(store.history(id)->boots[0].samples.size(), 2u);
}

TEST_F(StoreTest, RunsAreFoundByPrefix) {
  auto store = open();
  EXPECT_EQ(store.last_run().error().kind, ErrorKind::usage);
  const auto first = store.begin_run(some_request(), {}).value();
  const auto second = store.begin_run(some_request(RunKind::compare), {}).value();
  EXPECT_EQ(store.run(first)->id, first);
  EXPECT_EQ(store.run(second.substr(0, second.size() - 1))->id, second);
  EXPECT_EQ(store.last_run()->id, second);
  EXPECT_EQ(store.last_run(RunKind::bisect)->id, first);
  EXPECT_EQ(store.runs()->size(), 2u);
  for (const auto* wrong : {"20", "", "nothing", "%"}) {
    const auto run = store.run(wrong);
    ASSERT_FALSE(run) << wrong;
    EXPECT_EQ(run.error().kind, ErrorKind::usage);
  }
}

TEST_F(StoreTest, ResumeMarksWhatNeverEnded) {
  std::string id;
  {
    auto store = open();
    id = store.begin_run(some_request(), {}).value();
    const auto boot = store.boot_started(id, some_start('a')).value();
    ASSERT_TRUE(store.sample(boot, some_sample(0)));
    ASSERT_TRUE(store.journal(id, "boot", "aaaa", 7.0));
  }
  auto store = open();
  EXPECT_EQ(store.history(id)->boots[0].boot.outcome, BootOutcome::running);
  EXPECT_EQ(store.last_run(RunKind::bisect, true)->id, id);
  EXPECT_EQ(store.journal(id, "boot", "", 1).error().kind, ErrorKind::bug);
  ASSERT_TRUE(store.claim(id));
  const auto history = store.history(id);
  EXPECT_EQ(history->boots[0].boot.outcome, BootOutcome::interrupted);
  EXPECT_EQ(history->boots[0].samples.size(), 1u);
  EXPECT_DOUBLE_EQ(history->boots[0].ended_at, 7.0);
  EXPECT_DOUBLE_EQ(history->elapsed, 7.0);
  EXPECT_FALSE(store.last_run(RunKind::bisect, true));
  ASSERT_TRUE(store.set_status(id, RunStatus::answered));
}

TEST_F(StoreTest, AControllerThatWasKilledIsWaitedForAndALivingOneIsNot) {
  auto mine = open();
  const auto run = mine.begin_run(some_request(), {}).value();
  {
    const auto closing = std::move(mine);
  }
  // It is killed while a child of its own, which has not come to its exec yet, shares its files.
  int told[2];
  ASSERT_EQ(::pipe(told), 0);
  const pid_t controller = ::fork();
  if (controller == 0) {
    auto store = open();
    if (!store.claim(run)) ::_exit(1);
    if (::fork() == 0) {
      ::usleep(700'000);
      ::_exit(0);
    }
    (void)!::write(told[1], "x", 1);
    ::pause();
  }
  char word = 0;
  ASSERT_EQ(::read(told[0], &word, 1), 1);
  auto store = open();
  const auto before = std::chrono::steady_clock::now();
  EXPECT_FALSE(store.claim(run));
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::milliseconds(500))
      << "it lives";
  ::kill(controller, SIGKILL);
  ::waitpid(controller, nullptr, 0);
  const auto claimed = store.claim(run);
  EXPECT_TRUE(claimed) << claimed.error().message;
  ::close(told[0]);
  ::close(told[1]);
}

TEST_F(StoreTest, OneControllerARun) {
  auto one = open(), two = open();
  const auto mine = one.begin_run(some_request(), {}).value();
  const auto yours = two.begin_run(some_request(), {}).value();
  const auto refused = two.claim(mine);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::usage);
  EXPECT_EQ(refused.error().message, "another process is at work on run " + mine +
                                         "; watch it with `bisect-run show " + mine +
                                         "`, or end it first");
  EXPECT_TRUE(two.run(mine)->live);
  // Both write at the same time, each to its own run.
  const auto boot = one.boot_started(mine, some_start('a')).value();
  const auto other = two.boot_started(yours, some_start('b')).value();
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(one.sample(boot, some_sample(i)));
    ASSERT_TRUE(two.sample(other, some_sample(i)));
  }
  EXPECT_EQ(two.history(mine)->boots[0].samples.size(), 50u);
  {
    const Store gone = std::move(one);
  }
  EXPECT_FALSE(two.run(mine)->live);
  EXPECT_TRUE(two.claim(mine));
}

TEST_F(StoreTest, ReadersSeeARunGoOn) {
  auto writer = open();
  const auto id = writer.begin_run(some_request(), {}).value();
  const auto reader = Store::open_read_only(file());
  ASSERT_TRUE(reader);
  const auto boot = writer.boot_started(id, some_start('a')).value();
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(writer.sample(boot, some_sample(i)));
    ASSERT_EQ(reader->history(id)->boots[0].samples.size(), static_cast<std::size_t>(i + 1));
  }
  EXPECT_TRUE(reader->run(id)->live);
}

}  // namespace
}  // namespace bisect_run::store
