// SPDX-License-Identifier: GPL-3.0-or-later
// Lets one thread at a time touch the server's connections and the state that they share.
//
// Handlers of executor() run on the thread of the io_context and wait for the baton. Another thread
// may take it if it is free: so the engine's thread writes what a client waits for itself. Waking
// the I/O thread for that takes longer than all else the server does for a request.
//
// Thread-safe; copies are the same baton.
#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace waferpair::server {

class Baton {
 public:
  // The context outlives all handlers.
  explicit Baton(boost::asio::io_context& context) : state_(std::make_shared<State>(context)) {}

  boost::asio::any_io_executor executor() const {
    static_assert(sizeof(Executor<false>) <= sizeof(std::shared_ptr<void>));  // as said there
    return Executor<false>(state_);
  }

  // Runs `work` on this thread, unless the baton is taken, by this thread too: then false.
  template <typename Work>
  bool tryRun(const Work& work) const {
    if (state_->isMine() || !state_->mutex.try_lock()) return false;
    const Hold hold(*state_, std::adopt_lock);
    work();
    return true;
  }

 private:
  struct State {
    explicit State(boost::asio::io_context& context) : context(context) {}
    bool isMine() const {
      return owner.load(std::memory_order_relaxed) == std::this_thread::get_id();
    }

    boost::asio::io_context& context;
    std::mutex mutex;
    std::atomic<std::thread::id> owner;  // the one that has the mutex
  };

  class Hold {
   public:
    explicit Hold(State& state) : Hold((state.mutex.lock(), state), std::adopt_lock) {}
    Hold(State& state, std::adopt_lock_t) : state_(state) {
      state_.owner.store(std::this_thread::get_id(), std::memory_order_relaxed);
    }
    ~Hold() {
      state_.owner.store({}, std::memory_order_relaxed);
      state_.mutex.unlock();
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    State& state_;
  };

  // The executor that Boost.Asio asks for; with kNever, execute() leaves the function to the
  // context. It is a pointer and no more, as any_io_executor allocates memory for what is larger.
  template <bool kNever>
  class Executor {
   public:
    using Blocking = boost::asio::execution::blocking_t;

    explicit Executor(std::shared_ptr<State> state) : state_(std::move(state)) {}

    boost::asio::io_context& query(boost::asio::execution::context_t) const noexcept {
      return state_->context;
    }
    Blocking query(Blocking) const noexcept {
      return kNever ? Blocking(Blocking::never) : Blocking(Blocking::possibly);
    }
    Executor<true> require(Blocking::never_t) const { return Executor<true>(state_); }
    Executor<false> require(Blocking::possibly_t) const { return Executor<false>(state_); }

    template <typename Function>
    void execute(Function function) const {
      if (!kNever && state_->isMine()) return std::move(function)();
      auto held = [state = state_, function = std::move(function)]() mutable {
        const Hold hold(*state);
        std::move(function)();
      };
      const auto inner = state_->context.get_executor();
      if constexpr (kNever)
        boost::asio::require(inner, Blocking::never).execute(std::move(held));
      else
        inner.execute(std::move(held));
    }

    friend bool operator==(const Executor& a, const Executor& b) noexcept {
      return a.state_ == b.state_;
    }
    friend bool operator!=(const Executor& a, const Executor& b) noexcept { return !(a == b); }

   private:
    std::shared_ptr<State> state_;
  };

  std::shared_ptr<State> state_;
};

}  // namespace waferpair::server
