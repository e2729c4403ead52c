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
  // point there, or at the beginning of the commit's own. A thread looks through them; what was
  // shown stays until it is done.
  void setFilter(const QString& words);
  // With words, and for one file, commits do not follow each other: there is no picture of it.
  bool hasGraph() const { return words_.isEmpty() && path_.isEmpty(); }
  bool isReading() const { return reading_ != nullptr; }
  bool isFiltering() const { return filtering_ != nullptr; }
  qsizetype total() const { return total_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 Q_SIGNALS:
  // More rows have come, or all, or others are shown; `problem` is why no more do.
  void progressed();
  void problem(const QString& text);

 private:
  // Rows as they came; threads read them, and nobody changes them any more.
  using Chunk = std::shared_ptr<const std::vector<Row>>;

  void append(std::vector<Row> rows);
  // Looks through the rows from this chunk on, for the words that are wanted.
  void filterFrom(qsizetype chunk);
  void takeFiltered(const QStringList& words, const QVector<int>& fitting, qsizetype chunks);
  void stopFiltering();

  QVector<Chunk> chunks_;
  QVector<int> starts_;  // of chunks, the number of their first row
  int total_ = 0;
  QStringList wanted_;  // words; those that are shown by may be others for a moment
  QStringList words_;
  QVector<int> shown_;      // rows, where words are filtered for
  qsizetype filtered_ = 0;  // chunks that have been looked through for words_
  QString path_;
  std::shared_ptr<std::atomic<bool>> reading_;    // true: cancelled
  std::shared_ptr<std::atomic<bool>> filtering_;  // likewise
  QThreadPool thread_{this};
  QThreadPool filterThread_{this};
};

}  // namespace waferpair::gui
