// SPDX-License-Identifier: GPL-3.0-or-later
// Commits as rows, which come while git still reads the older ones; words leave out those that
// have them not. UI thread only.
#pragma once

#include <QAbstractListModel>
#include <QThreadPool>
#include <atomic>
#include <memory>

#include "workbench/git/commit_log.h"

namespace waferpair::gui {

class LogModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { kCommitRole = Qt::UserRole };
  struct Row {
    workbench::LogCommit commit;
    workbench::GraphRow graph;
  };

  explicit LogModel(QObject* parent = nullptr);
  // Ends the reading.
  ~LogModel() override;

  // Reads anew: all commits of HEAD, or with `all` those of all branches and tags, too; of a path
  // below the folder only those that changed it, through renames.
  void read(const QString& folder, const QString& path, bool all);
  void stop();
  // Of the row that is shown there; null: there is none.
  const Row* row(int shown) const;
  // Shows the rows only that have all these words: in the subject, the author, the names that
  // point there, or at the beginning of the commit's own.
  void setFilter(const QString& words);
  // With words, and for one file, commits do not follow each other: there is no picture of it.
  bool hasGraph() const { return filter_.isEmpty() && path_.isEmpty(); }
  bool isReading() const { return reading_ != nullptr; }
  qsizetype total() const { return static_cast<qsizetype>(rows_.size()); }

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 Q_SIGNALS:
  // More rows have come, or all; `problem` is why no more do.
  void progressed();
  void problem(const QString& text);

 private:
  bool fits(const Row& row) const;
  void append(std::vector<Row> rows);

  std::vector<Row> rows_;
  QVector<int> shown_;  // of rows_, where words are filtered for
  QStringList filter_;
  QString path_;
  std::shared_ptr<std::atomic<bool>> reading_;  // true: cancelled
  QThreadPool thread_;
};

}  // namespace waferpair::gui
