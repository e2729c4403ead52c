// SPDX-License-Identifier: GPL-3.0-or-later
// Reads long messages on a thread of its own: at 300 MB/s or so, the longest would keep all other
// clients waiting meanwhile. What they took is given back to the system soon after.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace waferpair::server {

// Used with the server's baton only.
class Aside {
 public:
  // Messages with fewer bytes are read where they arrive: to change threads takes as long.
  static constexpr std::size_t kLong = std::size_t{256} << 10;

  explicit Aside(boost::asio::any_io_executor executor)
      : executor_(std::move(executor)), quiet_(executor_) {}

  // Calls work() on the thread, after what it was given before, and then(result) on the executor.
  // What `work` holds is gone before `then` is called, so nothing with a baton ends on that thread
  // as long as `then` holds it, too. Neither is called after stop().
  template <typename Work, typename Then>
  void run(Work work, Then then) {
    if (stopped_) return;
    boost::asio::post(
        thread(), [executor = executor_, work = std::make_unique<Work>(std::move(work)),
                   then = std::move(then)]() mutable {
          auto result = std::make_shared<decltype((*work)())>((*work)());
          work.reset();
          boost::asio::post(
              executor, [result, then = std::move(then)]() mutable { then(std::move(*result)); });
        });
  }

  // Gives the system what long messages have taken, on the thread, half a second from now: the C
  // library keeps freed memory that lies between other.
  void giveBackMemory();

  // Waits for the work under way.
  void stop() {
    stopped_ = true;
    quiet_.cancel();
    if (!thread_) return;
    thread_->stop();
    thread_->join();
  }

 private:
  boost::asio::thread_pool& thread() { return thread_ ? *thread_ : thread_.emplace(1); }

  boost::asio::any_io_executor executor_;
  std::optional<boost::asio::thread_pool> thread_;  // from the first work on
  boost::asio::steady_timer quiet_;
  bool willGiveBack_ = false;
  bool stopped_ = false;
};

}  // namespace waferpair::server
