// SPDX-License-Identifier: GPL-3.0-or-later
// What is found wrong in files, by whom: language servers, and tasks whose output names places.
// What lies in an open text follows its edits. UI thread only.
#pragma once

#include <QHash>
#include <QObject>

#include "editor/assist/document_sync.h"
#include "workbench/language/diagnostic.h"

namespace waferpair::workbench {

class DiagnosticStore : public QObject, private editor::DocumentSubscriber {
  Q_OBJECT
 public:
  // `sync` outlives this.
  explicit DiagnosticStore(editor::DocumentSync* sync, QObject* parent = nullptr);

  // `reporter` has found these in the file, and no longer what it reported there before. Where the
  // file is open, ranges are of its text by now; columns of places are in `unit`.
  void report(const QString& reporter, const QString& path, const QVector<Diagnostic>& found,
              ColumnUnit unit);
  // The same, with ranges of an open file taken from the places as they are in `told`. What
  // somebody else, by report(), tells of the same line in the same words is there once.
  void reportAsTold(const QString& reporter, const QString& path, QVector<Diagnostic> found,
                    ColumnUnit unit);
  // Takes back all that it reported.
  void retract(const QString& reporter);

  // By where they are in the text. A path is the id of an open text.
  const QVector<Diagnostic>& of(const QString& path) const;
  // The files that have some, sorted.
  QStringList files() const;

 Q_SIGNALS:
  void fileChanged(const QString& path);

 private:
  struct Report {
    QString reporter;
    ColumnUnit unit = ColumnUnit::kUtf16;
    QVector<Diagnostic> found;  // not empty
    bool isAsTold = false;      // by a program that was run
  };
  struct OfFile {
    QVector<Report> reports;
    QVector<Diagnostic> all;  // of the reports, sorted, each error once
  };

  void opened(const editor::SyncedDocument& document) override;
  void changed(const editor::SyncedDocument& document,
               const QVector<editor::TextEdit>& edits) override;
  void closed(const editor::DocumentId&) override {}
  void put(const QString& path, const Report& report);
  void gather(const QString& path, OfFile* file) const;

  editor::DocumentSync* sync_;
  QHash<QString, OfFile> files_;
};

}  // namespace waferpair::workbench
