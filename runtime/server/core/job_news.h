// SPDX-License-Identifier: GPL-3.0-or-later
// Carries what a job says on the engine's thread to those who hear it with the baton, and not for
// every token: each time costs a small model as much as a good part of a token, and twice that with
// the client's share.
//
// The first text is told at once, and so is any that comes more than kPace after the one before.
// Text that comes sooner waits until then, together. The end is told at once, with all text before
// it. If the baton is free, "at once" is on the engine's thread.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/mutex.h"
#include "runtime/inference/engine/engine.h"
#include "runtime/server/core/baton.h"

namespace waferpair::server {

class JobNews : public std::enable_shared_from_this<JobNews> {
 public:
  // Far less than the time between two frames of a screen.
  static constexpr std::chrono::milliseconds kPace{4};

  // Callbacks for the engine that call those of `listener` with the baton. onBegin may be empty.
  // The latest of onPrompt is told ahead of onBegin.
  static inference::JobCallbacks relay(Baton baton, inference::JobCallbacks listener);

 private:
  JobNews(Baton baton, inference::JobCallbacks listener)
      : baton_(std::move(baton)), listener_(std::move(listener)), pace_(baton_.executor()) {}

  // Says who will look at the waiting news.
  enum class Look { kNobody, kAtPace, kPosted };
  struct Waiting {
    std::optional<inference::PromptProgress> prompt;
    bool begun = false;
    std::vector<inference::TokenChance> chances;
    std::string text;
    std::optional<inference::JobReport> report;
  };

  // Adds to the waiting news, on any thread; `urgent` does not wait for the pace.
  template <typename Change>
  void add(Change change, bool urgent);
  // Called with the baton.
  void deliver();

  Baton baton_;
  inference::JobCallbacks listener_;  // with the baton only, as the next
  boost::asio::steady_timer pace_;
  base::Mutex mutex_;
  Waiting waiting_ WAFERPAIR_GUARDED_BY(mutex_);
  Look look_ WAFERPAIR_GUARDED_BY(mutex_) = Look::kNobody;
};

}  // namespace waferpair::server
