// SPDX-License-Identifier: GPL-3.0-or-later
// Has the early messages of a thread summarized in the background, one thread at a time: what the
// gate holds back is left out, the model is asked, its answer is judged. UI thread only.
#pragma once

#include <QObject>
#include <functional>
#include <memory>

#include "pairing/ask/summarize.h"

namespace waferpair::pairing {

class ThreadSummarizer : public QObject {
  Q_OBJECT
 public:
  struct Task {
    Thread thread;  // as it is
    SummaryPlan plan;
    QString root;  // of the project
    QString modelId;
    QString model;
    QString place;
    qint64 contextTokens = -1;  // of the model
  };

  ThreadSummarizer() = default;
  ~ThreadSummarizer() override;

  // Another one that is at work is stopped. `endpoint` is asked for once the gate has answered;
  // null: nobody is asked.
  void start(const Task& task, std::function<Endpoint*()> endpoint);
  void stop();

  QString threadId() const { return isAtWork_ ? task_.thread.id : QString(); }
  // The id of the last message that is being summarized; empty: none is.
  QString upTo() const;

 Q_SIGNALS:
  // One of these is the last signal of a task that is not stopped.
  void summarized(const QString& threadId, const waferpair::pairing::ThreadSummary& summary);
  void failed(const QString& threadId, const waferpair::editor::Error& problem);

 private:
  void send(const QSet<QString>& heldBack);
  void take(const ReplyDone& done);
  void fail(const editor::Error& problem);
  void letGo();

  bool isAtWork_ = false;
  int generation_ = 0;  // of the task
  Task task_;
  std::function<Endpoint*()> endpoint_;
  std::unique_ptr<ModelReply> reply_;
};

}  // namespace waferpair::pairing
