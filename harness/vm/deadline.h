#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace bisect_run::vm {

/// Runs `work` in a thread of its own, because libvirt's calls block without a timeout of their
/// own. Nothing when it is not done in time; it then goes on alone, and `late` gets its result.
/// Both must own all they touch.
template <class Work, class Late>
auto within(std::chrono::milliseconds limit, Work work, Late late)
    -> std::optional<decltype(work())> {
  using Value = decltype(work());
  struct Shared {
    std::mutex mutex;
    std::condition_variable done;
    std::optional<Value> value;
    bool abandoned = false;
  };
  auto shared = std::make_shared<Shared>();
  std::thread([shared, work = std::move(work), late = std::move(late)]() mutable {
    Value value = work();
    std::unique_lock guard(shared->mutex);
    if (shared->abandoned) {
      guard.unlock();
      late(std::move(value));
      return;
    }
    shared->value = std::move(value);
    shared->done.notify_all();
  }).detach();
  std::unique_lock guard(shared->mutex);
  if (!shared->done.wait_for(guard, limit, [&] { return shared->value.has_value(); }))
    shared->abandoned = true;
  return std::move(shared->value);
}

}  // namespace bisect_run::vm
