// SPDX-License-Identifier: GPL-3.0-or-later
// Answers the questions of all sessions on a thread of its own, one after another: one takes up to
// some seconds.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "runtime/experiment/experiment.h"

namespace waferpair::server {

// Used with the server's baton only.
class ExperimentBench {
 public:
  using Hear = std::function<void(const base::Result<experiment::Answer>&)>;

  explicit ExperimentBench(boost::asio::any_io_executor executor)
      : executor_(std::move(executor)) {}

  static constexpr int kMostWaiting = 64;
  bool isFull() const { return *waiting_ >= kMostWaiting; }

  // `hear` is called on the executor, unless stop() comes first.
  void run(std::string question, Hear hear) {
    if (stopped_) return;
    ++*waiting_;
    boost::asio::post(thread(), [executor = executor_, waiting = waiting_,
                                 question = std::move(question), hear = std::move(hear)] {
      const auto parsed = experiment::parseQuestion(question);
      base::Result<experiment::Answer> answer =
          parsed ? experiment::answer(*parsed)
                 : base::Result<experiment::Answer>(tl::unexpected(parsed.error()));
      boost::asio::post(executor, [waiting, answer = std::move(answer), hear] {
        --*waiting;
        hear(answer);
      });
    });
  }

  // Waits for the question under way; those after it are forgotten.
  void stop() {
    stopped_ = true;
    if (!thread_) return;
    thread_->stop();
    thread_->join();
  }

 private:
  boost::asio::thread_pool& thread() { return thread_ ? *thread_ : thread_.emplace(1); }

  boost::asio::any_io_executor executor_;
  std::shared_ptr<int> waiting_ = std::make_shared<int>(0);
  std::optional<boost::asio::thread_pool> thread_;  // from the first question on
  bool stopped_ = false;
};

}  // namespace waferpair::server
