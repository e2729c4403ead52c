// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/ask/thread_summarizer.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <algorithm>
#include <utility>

#include "pairing/context/gather_context.h"

namespace waferpair::pairing {

ThreadSummarizer::~ThreadSummarizer() { stop(); }

QString ThreadSummarizer::upTo() const {
  return isAtWork_ ? task_.thread.messages[task_.plan.end - 1].id : QString();
}

void ThreadSummarizer::start(const Task& task, std::function<Endpoint*()> endpoint) {
  Q_ASSERT(task.plan.end > 0 && task.plan.end <= task.thread.messages.size());
  stop();
  isAtWork_ = true;
  task_ = task;
  endpoint_ = std::move(endpoint);
  QVector<ContextItem> items;
  for (qsizetype i = 0; i < task.plan.end; ++i) items += task.thread.messages[i].context;
  QThreadPool::globalInstance()->start([guard = QPointer<ThreadSummarizer>(this), root = task.root,
                                        items, generation = generation_] {
    QSet<QString> held = heldBackAmong(root, items);
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [guard, generation, held = std::move(held)] {
          if (guard && guard->isAtWork_ && guard->generation_ == generation) guard->send(held);
        },
        Qt::QueuedConnection);
  });
}

void ThreadSummarizer::stop() {
  if (reply_) reply_->disconnect(this);
  if (reply_) reply_->cancel();
  letGo();
}

// The reply may be in the middle of telling that it is over.
void ThreadSummarizer::letGo() {
  ++generation_;
  isAtWork_ = false;
  if (reply_) reply_.release()->deleteLater();
}

void ThreadSummarizer::send(const QSet<QString>& heldBack) {
  Endpoint* endpoint = endpoint_();
  if (!endpoint) return stop();  // another model is to answer by now
  // A summary that was made from what no model may see by now is not continued.
  const QVector<Message>& messages = task_.thread.messages;
  const bool isTainted =
      std::any_of(messages.begin(), messages.begin() + task_.thread.summarized(),
                  [&](const Message& message) { return isAnyOf(message.context, heldBack); });
  if (isTainted) task_.thread.summary.reset();
  const auto request =
      ShownRequest::of(summaryRequest(task_.thread, task_.plan, task_.contextTokens, heldBack));
  if (!request) return fail(request.error());
  reply_ = endpoint->send(*request);
  connect(reply_.get(), &ModelReply::finished, this, &ThreadSummarizer::take);
  connect(reply_.get(), &ModelReply::failed, this,
          [this](const ReplyFailure& failure) { fail(failure); });
}

void ThreadSummarizer::take(const ReplyDone& done) {
  if (done.reason != ReplyDone::Reason::kComplete)
    return fail({tr("The model did not come to the end of the summary."),
                 tr("The earliest messages are left out where there is no room.")});
  auto summary = summaryFrom(task_.thread, task_.plan, reply_->text());
  if (!summary) return fail(summary.error());
  summary->model = task_.model;
  summary->place = task_.place;
  letGo();
  const QString threadId = task_.thread.id;  // another task may begin meanwhile
  Q_EMIT summarized(threadId, *summary);
}

void ThreadSummarizer::fail(const editor::Error& problem) {
  letGo();
  const QString threadId = task_.thread.id;  // another task may begin meanwhile
  Q_EMIT failed(threadId, problem);
}

}  // namespace waferpair::pairing
