// SPDX-License-Identifier: GPL-3.0-or-later
// The open project's passages, kept up to date and searched by a thread of its own. A search first
// reads what changed since the last one, so that no answer is older than its question. UI thread
// only; nothing here waits for the disk.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <functional>

#include "pairing/retrieval/project_passages.h"

namespace waferpair::pairing {

class ProjectSearch : public QObject {
  Q_OBJECT
 public:
  // `openTexts` is asked whenever the passages are read; it may be empty.
  explicit ProjectSearch(std::function<QVector<OpenText>()> openTexts, QObject* parent = nullptr);
  ~ProjectSearch() override;

  // The project's root (empty: none) and its files, relative to it. Reads them in the background.
  void setProject(const QString& root, const QStringList& files);
  const QString& root() const { return request_.root; }
  const QStringList& files() const { return request_.files; }
  // Reads in the background what changed.
  void refresh();
  bool isReading() const { return reading_ > 0; }

  // The passages as of the last reading; never null.
  const std::shared_ptr<const ProjectPassages>& passages() const { return passages_; }

  using Found = std::function<void(const QVector<FoundPassage>& passages)>;
  // `found` is called later, unless `context` is gone by then or the project is another one.
  void search(const QString& question, qsizetype most, QObject* context, Found found);
  // Calls `ready` later, when passages() is up to date.
  void whenRead(QObject* context, std::function<void()> ready);

 Q_SIGNALS:
  // passages() are others, or it is known by now that they are not.
  void read();

 private:
  ProjectPassages::Request requestNow() const;

  std::function<QVector<OpenText>()> openTexts_;
  ProjectPassages::Request request_;
  std::shared_ptr<const ProjectPassages> passages_ = std::make_shared<const ProjectPassages>();
  std::shared_ptr<std::atomic<bool>> cancelled_ = std::make_shared<std::atomic<bool>>(false);
  int reading_ = 0;
  QThreadPool thread_{
      this};  // of one thread: two readings at a time would only be in each other's way
};

}  // namespace waferpair::pairing
