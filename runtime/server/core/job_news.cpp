// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/core/job_news.h"

#include <boost/asio/post.hpp>
#include <iterator>
#include <utility>

namespace waferpair::server {

inference::JobCallbacks JobNews::relay(Baton baton, inference::JobCallbacks listener) {
  const bool hearsBegin = listener.onBegin != nullptr;
  const bool hearsChances = listener.onChances != nullptr;
  const bool hearsPrompt = listener.onPrompt != nullptr;
  const std::shared_ptr<JobNews> news(new JobNews(std::move(baton), std::move(listener)));
  inference::JobCallbacks callbacks;
  callbacks.onText = [news](std::string text) {
    news->add([&](Waiting& waiting) { waiting.text += text; }, /*urgent=*/false);
  };
  callbacks.onDone = [news](const inference::JobReport& report) {
    news->add([&](Waiting& waiting) { waiting.report = report; }, /*urgent=*/true);
  };
  if (hearsBegin)
    callbacks.onBegin = [news] {
      news->add([](Waiting& waiting) { waiting.begun = true; }, /*urgent=*/true);
    };
  if (hearsPrompt)
    callbacks.onPrompt = [news](const inference::PromptProgress& progress) {
      news->add([&](Waiting& waiting) { waiting.prompt = progress; }, /*urgent=*/false);
    };
  if (hearsChances)
    callbacks.onChances = [news](std::vector<inference::TokenChance> chances) {
      const auto append = [&](Waiting& waiting) {
        waiting.chances.insert(waiting.chances.end(), std::make_move_iterator(chances.begin()),
                               std::make_move_iterator(chances.end()));
      };
      news->add(append, /*urgent=*/false);
    };
  return callbacks;
}

template <typename Change>
void JobNews::add(Change change, bool urgent) {
  {
    const base::MutexLock lock(mutex_);
    change(waiting_);
    if (look_ == Look::kPosted || (look_ == Look::kAtPace && !urgent)) return;
    look_ = Look::kPosted;
  }
  if (baton_.tryRun([this] { deliver(); })) return;
  boost::asio::post(baton_.executor(), [self = shared_from_this()] { self->deliver(); });
}

void JobNews::deliver() {
  Waiting news;
  Look look;
  {
    const base::MutexLock lock(mutex_);
    news = std::exchange(waiting_, {});
    // Only text sets the pace: the first must not wait because the job has begun.
    look = look_ = news.text.empty() || news.report ? Look::kNobody : Look::kAtPace;
  }
  if (news.prompt) listener_.onPrompt(*news.prompt);
  if (news.begun) listener_.onBegin();
  if (!news.chances.empty()) listener_.onChances(std::move(news.chances));
  if (!news.text.empty()) listener_.onText(std::move(news.text));
  if (news.report) {
    pace_.cancel();
    return listener_.onDone(*news.report);
  }
  if (look != Look::kAtPace) return;
  pace_.expires_after(kPace);
  pace_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
    if (!error) self->deliver();
  });
}

}  // namespace waferpair::server
