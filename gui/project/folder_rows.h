// SPDX-License-Identifier: GPL-3.0-or-later
// What the tree shows of one folder, read and put in order on a thread: a folder may have hundreds
// of thousands of files. Values; any thread.
#pragma once

#include <QHash>
#include <QString>
#include <QVector>
#include <optional>

#include "runtime/exclusions/git_rules.h"

namespace waferpair::gui {

struct FolderRow {
  QString name;
  bool isFolder = false;  // or a link to one
  bool isFaint = false;   // hidden or ignored

  bool operator==(const FolderRow&) const = default;
};

// Which rows there are.
struct ShownRows {
  bool hidden = false;
  bool ignored = false;
};

// The rules of .gitignore files by folder (absolute, clean), as far as they were read. For one
// thread at a time.
class FolderRules {
 public:
  // `root`: where the way down begins.
  explicit FolderRules(QString root) : root_(std::move(root)) {}
  const exclusions::RuleChain& in(const QString& folder);

 private:
  QString root_;
  QHash<QString, exclusions::RuleChain> known_;
};

// The rows of a folder in their order: folders first, then by name, with numbers by their value.
// One that cannot be read has none.
QVector<FolderRow> readFolderRows(const QString& folder, ShownRows shown, FolderRules* rules);

// How rows become others, step by step. Rows of the same name and kind stay.
struct RowChanges {
  struct Range {
    qsizetype first;
    qsizetype count;
  };
  QVector<Range> removed;   // of the rows before, the last first
  QVector<Range> inserted;  // of the rows afterwards, the first first
  bool looksOther = false;  // some of those that stay are faint now, or not any more
};
RowChanges rowChanges(const QVector<FolderRow>& before, const QVector<FolderRow>& after);

}  // namespace waferpair::gui
