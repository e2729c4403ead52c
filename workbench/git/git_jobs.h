// SPDX-License-Identifier: GPL-3.0-or-later
// What is done to a repository, one job after another on a thread of its own, so that none gets in
// the way of the one before. UI thread only.
#pragma once

#include <QObject>
#include <QQueue>
#include <QThreadPool>
#include <atomic>
#include <functional>
#include <memory>

#include "workbench/git/git_call.h"

namespace waferpair::workbench {

// What a job is told while it runs, on its thread.
struct GitJob {
  const std::atomic<bool>& cancelled;
  GitNews news;
  std::optional<GitPermission> permission = {};  // none: it only reads

  editor::Result<QByteArray> call(const QString& folder, const QStringList& arguments,
                                  const QByteArray& input = {},
                                  const QStringList& environment = {}) const {
    if (!permission) return tl::unexpected(notTrusted(folder));
    return writeWithGit({folder, arguments, input, environment}, *permission, cancelled, news);
  }
  editor::Result<QByteArray> read(const QString& folder, const QStringList& arguments,
                                  const QByteArray& input = {}) const {
    return readWithGit({folder, arguments, input}, cancelled, news);
  }
};

class GitJobs : public QObject {
  Q_OBJECT
 public:
  using Work = std::function<editor::Result<QByteArray>(const GitJob& job)>;
  using Done = std::function<void(const editor::Result<QByteArray>& result)>;

  explicit GitJobs(QObject* parent = nullptr);
  // Cancels what runs, and waits for it.
  ~GitJobs() override;

  // Whom startWriting() asks; without it nothing is trusted.
  void setTrust(GitTrust trust) { trust_ = std::move(trust); }
  bool isTrusted(const QString& workFolder) const { return trust_.permit(workFolder).has_value(); }

  // What only reads. `title` says what is done: "Reading". `work` runs on the thread and must not
  // touch what is not its own; `done` is called here afterwards, unless this object is gone.
  void start(const QString& title, Work work, Done done = {});
  // What changes the repository with this work folder. Where that is not trusted, `work` does not
  // run, and `done` is told so.
  void startWriting(const QString& workFolder, const QString& title, Work work, Done done = {});
  // Cancels the one that runs.
  void cancel();

  bool isRunning() const { return running_ != nullptr; }
  // Of the one that runs; empty: none does.
  QString title() const { return running_ ? running_->title : QString(); }
  // What it said last of its progress.
  const QString& news() const { return news_; }

 Q_SIGNALS:
  // Something else runs now, or it has got further.
  void changed();

 private:
  struct Entry {
    QString title;
    Work work;
    Done done;
    std::optional<GitPermission> permission;
    std::atomic<bool> cancelled = false;
  };

  void enqueue(std::shared_ptr<Entry> entry);
  void next();

  GitTrust trust_;
  QQueue<std::shared_ptr<Entry>> waiting_;
  std::shared_ptr<Entry> running_;
  QString news_;
  QThreadPool thread_{this};
};

}  // namespace waferpair::workbench
