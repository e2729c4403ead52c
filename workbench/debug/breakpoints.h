// SPDX-License-Identifier: GPL-3.0-or-later
// The breakpoints of a project: they move with the open texts that they are in, and outlive the
// program. One whose line was taken out and put in elsewhere, by whatever means, goes to the line
// that reads the same. Told of open texts by DocumentSync; UI thread only.
#pragma once

#include <QHash>
#include <QJsonArray>
#include <QObject>
#include <QVector>

#include "editor/assist/document_sync.h"
#include "editor/text/line_diff.h"

namespace waferpair::workbench {

struct Breakpoint {
  qint64 id = 0;  // the store's own; grows
  QString path;   // absolute
  int line = 0;   // from 0
  bool isOn = true;
  QString condition;  // an expression of the program's language; empty: none
  QString hits;       // how often it is passed: "5", or as the adapter has it (">= 5"); empty: once
  QString log;        // is printed instead of a stop; {expressions} in it are evaluated

  bool isPlain() const { return condition.isEmpty() && hits.isEmpty() && log.isEmpty(); }
  bool operator==(const Breakpoint&) const = default;
};

class Breakpoints : public QObject, public editor::DocumentSubscriber {
  Q_OBJECT
 public:
  static constexpr qsizetype kMost = 5000;  // of a project

  using QObject::QObject;

  // By path and line.
  QVector<Breakpoint> all() const;
  QVector<Breakpoint> inFile(const QString& path) const;
  QStringList files() const { return byPath_.keys(); }
  // Null: there is none. Good until the next change.
  const Breakpoint* at(const QString& path, int line) const;
  const Breakpoint* withId(qint64 id) const;

  // Sets one where there is none and takes one away otherwise. Returns whether there is one now.
  bool toggle(const QString& path, int line);
  // Puts this one in the place of what is in its line, with an id of its own where it has none.
  void put(Breakpoint breakpoint);
  void remove(qint64 id);
  void clear();
  void setAllOn(bool on);

  // Replaces all of them by those of another project, as toJson() has given them; what is wrong in
  // it is left out.
  void load(const QJsonArray& json);
  QJsonArray toJson() const;
  // A file, or what is below a folder, has another path now.
  void pathRenamed(const QString& from, const QString& to);

  void opened(const editor::SyncedDocument& document) override;
  void changed(const editor::SyncedDocument& document,
               const QVector<editor::TextEdit>& edits) override;
  void closed(const editor::DocumentId& id) override;

 Q_SIGNALS:
  // Of this file, otherwise than that lines moved.
  void fileChanged(const QString& path);
  // Breakpoints of this file have moved with its text.
  void moved(const QString& path);

 private:
  struct Lost {
    Breakpoint breakpoint;
    QByteArray code;
  };
  struct Kept {
    Breakpoint breakpoint;
    qint64 anchor = -1;  // a byte of the line in the open text; -1: the text is not open
    QByteArray code;     // of the line as it was last seen, without the blanks around
    // Those whose lines were deleted, which this one's line stands for until they are back.
    QVector<Lost> lost = {};
    bool isStandIn = false;  // it has no other reason to be there
  };
  using List = QVector<Kept>;

  void anchor(List* list, const editor::Snapshot& text);
  bool bringBack(List* list, const QVector<editor::ChangedLines>& changes,
                 const editor::Snapshot& text);
  void settle(const QString& path, const QVector<int>& lines, const editor::Snapshot& text);
  const editor::Snapshot* textOf(const QString& path) const;

  static constexpr qsizetype kMostLost = 200;  // of one line

  QHash<QString, List> byPath_;  // sorted by line, none empty
  QHash<QString, editor::Snapshot> open_;
  qint64 last_ = 0;
};

}  // namespace waferpair::workbench
