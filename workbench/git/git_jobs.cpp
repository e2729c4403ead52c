// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/git_jobs.h"

#include <utility>

namespace waferpair::workbench {

GitJobs::GitJobs(QObject* parent) : QObject(parent) { thread_.setMaxThreadCount(1); }

GitJobs::~GitJobs() {
  waiting_.clear();
  cancel();
  thread_.waitForDone();
}

void GitJobs::start(const QString& title, Work work, Done done) {
  auto entry = std::make_shared<Entry>();
  entry->title = title;
  entry->work = std::move(work);
  entry->done = std::move(done);
  enqueue(std::move(entry));
}

void GitJobs::startWriting(const QString& workFolder, const QString& title, Work work, Done done) {
  auto entry = std::make_shared<Entry>();
  entry->title = title;
  entry->permission = trust_.permit(workFolder);
  entry->work = std::move(work);
  if (!entry->permission)
    entry->work = [workFolder](const GitJob&) -> editor::Result<QByteArray> {
      return tl::unexpected(notTrusted(workFolder));
    };
  entry->done = std::move(done);
  enqueue(std::move(entry));
}

void GitJobs::enqueue(std::shared_ptr<Entry> entry) {
  waiting_.enqueue(std::move(entry));
  if (!running_) next();
}

void GitJobs::cancel() {
  if (running_) running_->cancelled = true;
}

void GitJobs::next() {
  running_ = waiting_.isEmpty() ? nullptr : waiting_.dequeue();
  news_.clear();
  Q_EMIT changed();
  if (!running_) return;
  // The thread ends before this object does.
  thread_.start([this, entry = running_] {
    const GitJob job{entry->cancelled,
                     [this, entry](const QString& line) {
                       QMetaObject::invokeMethod(
                           this,
                           [this, entry, line] {
                             if (running_ != entry) return;
                             news_ = line;
                             Q_EMIT changed();
                           },
                           Qt::QueuedConnection);
                     },
                     entry->permission};
    auto result = entry->work(job);
    QMetaObject::invokeMethod(
        this,
        [this, entry, result = std::move(result)] {
          if (entry->done) entry->done(result);
          next();
        },
        Qt::QueuedConnection);
  });
}

}  // namespace waferpair::workbench
