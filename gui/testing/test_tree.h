// SPDX-License-Identifier: GPL-3.0-or-later
// The project's tests as rows of a tree: files, in them classes and the like, in them tests; and
// the state of each. UI thread only.
#pragma once

#include <QHash>
#include <QStandardItemModel>
#include <optional>

#include "gui/testing/test_book.h"

namespace waferpair::gui {

// In a word, as filters and screen readers have it: "failed".
QString stateWord(workbench::TestState state);
QString tookText(qint64 ms);

class TestTree : public QStandardItemModel {
  Q_OBJECT
 public:
  enum Role {
    kTestWordsRole = Qt::UserRole,  // what is filtered by: name, file, state
    kTestStateRole,
  };
  // Of so many tests each has a row.
  static constexpr qsizetype kMostRows = 50'000;

  // `book` outlives this.
  explicit TestTree(TestBook* book, QObject* parent = nullptr);

  // A row of a file alone has no test of its own.
  struct Row {
    QString path;
    std::optional<workbench::TestId> id;
    bool isGroup = false;
  };
  // Of one of this model's indexes.
  Row row(const QModelIndex& index) const;
  // All tests, and those of a state.
  int total() const { return static_cast<int>(tests_); }
  int count(workbench::TestState state) const { return counts_.value(static_cast<int>(state)); }

  void rebuild();
  void refreshStates();

 Q_SIGNALS:
  // Rows are others, and what they show is not set yet.
  void rebuilt();

 private:
  QStandardItem* add(QStandardItem* parent, const Row& row, const QString& text);
  QStandardItem* addGroup(QStandardItem* file, const Row& row);
  void addResults(QStandardItem* file, const workbench::TestFile& tests);
  workbench::TestState refresh(QStandardItem* item);

  TestBook* book_;
  QVector<Row> rows_;
  QHash<QString, QStandardItem*> items_;  // by key
  QHash<int, int> counts_;                // by state
  qsizetype tests_ = 0;
};

}  // namespace waferpair::gui
