#pragma once

#include <uv.h>

#include <cstdint>
#include <functional>
#include <utility>

namespace bisect_run::process {

/// A libuv loop and the few handles that one child needs, closed in the right order.
/// For the .cpp files of this room only.
class Loop {
 public:
  Loop() : error_(uv_loop_init(&loop_)) {}
  ~Loop() {
    if (error_ != 0) return;
    uv_run(&loop_, UV_RUN_DEFAULT);  // lets closed handles finish; all of them are closed by now
    uv_loop_close(&loop_);
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// Why it could not be made (too many open files); null if it could.
  const char* error() const { return error_ == 0 ? nullptr : uv_strerror(error_); }
  uv_loop_t* get() { return &loop_; }
  void run_once() { uv_run(&loop_, UV_RUN_ONCE); }

 private:
  uv_loop_t loop_;
  int error_;
};

/// A handle of type H that calls `on_event` and is closed with this object. The memory that libuv
/// still needs after that is freed by its close callback.
template <class H>
class Handle {
 public:
  explicit Handle(std::function<void()> on_event) : state_(new State{{}, std::move(on_event)}) {
    state_->handle.data = state_;
  }
  ~Handle() {
    auto* const handle = reinterpret_cast<uv_handle_t*>(&state_->handle);
    if (handle->loop == nullptr)
      delete state_;
    else
      uv_close(handle, [](uv_handle_t* closed) { delete static_cast<State*>(closed->data); });
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  H* get() { return &state_->handle; }
  static void call(H* handle) { static_cast<State*>(handle->data)->on_event(); }

 private:
  struct State {
    H handle;
    std::function<void()> on_event;
  };
  State* state_;
};

/// Calls back when `fd` is readable, until stopped.
class Readable {
 public:
  Readable(Loop& loop, int fd, std::function<void()> on_event) : handle_(std::move(on_event)) {
    uv_poll_init(loop.get(), handle_.get(), fd);
    uv_poll_start(handle_.get(), UV_READABLE,
                  [](uv_poll_t* poll, int, int) { Handle<uv_poll_t>::call(poll); });
  }
  void stop() { uv_poll_stop(handle_.get()); }

 private:
  Handle<uv_poll_t> handle_;
};

/// Calls back once, some seconds after it was started; starting it again begins anew.
class Timer {
 public:
  Timer(Loop& loop, std::function<void()> on_event) : handle_(std::move(on_event)) {
    uv_timer_init(loop.get(), handle_.get());
  }
  void start(double seconds) {
    uv_update_time(handle_.get()->loop);
    uv_timer_start(
        handle_.get(), [](uv_timer_t* timer) { Handle<uv_timer_t>::call(timer); },
        static_cast<std::uint64_t>(seconds * 1000), 0);
  }

 private:
  Handle<uv_timer_t> handle_;
};

/// Lets another thread wake the loop.
class Wakeup {
 public:
  Wakeup(Loop& loop, std::function<void()> on_event) : handle_(std::move(on_event)) {
    uv_async_init(loop.get(), handle_.get(),
                  [](uv_async_t* async) { Handle<uv_async_t>::call(async); });
  }
  void send() { uv_async_send(handle_.get()); }

 private:
  Handle<uv_async_t> handle_;
};

}  // namespace bisect_run::process
