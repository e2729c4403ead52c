// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the changes of files that a language server answers with: those of the text in front alone
// at once, as one step; those of several files after a look at each. Files that are renamed along
// have their new names at once, and get the old ones back on the user's word. All or nothing: what
// reaches out of the folder, is of texts that have changed since, would overwrite a file, or
// contradicts itself is refused. UI thread only.
#pragma once

#include <QHash>
#include <QObject>

#include "gui/pairing/open_texts.h"
#include "gui/workbench/language_guide.h"
#include "pairing/changes/change_set.h"
#include "workbench/language/workspace_edit.h"

namespace waferpair::gui {

class WorkspaceChanges : public QObject {
  Q_OBJECT
 public:
  // What the parts point at outlives this.
  explicit WorkspaceChanges(const LanguageGuideParts& parts, QObject* parent = nullptr);

  // The texts that a server knows, as they are when it is asked.
  using Versions = QHash<QString, qint64>;
  // What is being typed is told first.
  Versions versionsOf(const workbench::LanguageClient* client) const;

  // Returns why nothing was changed; empty: it was, or is being looked at.
  QString make(const workbench::LanguageClient* client, const QJsonValue& edit,
               const Versions& versions, const QString& title);

 Q_SIGNALS:
  // These are to be looked at and decided about.
  void reviewWanted(const QString& folder, const waferpair::pairing::ChangeSet& changes);
  // A file or folder has another name; the open texts know it.
  void renamed(const QString& from, const QString& to);

 private:
  struct Wanted {
    pairing::ChangeSet set;
    bool isDoubtful = false;  // see workbench::EditedText
  };
  editor::Result<Wanted> changesOf(const workbench::WorkspaceEdit& edit, const Versions& before,
                                   const Versions& now, const QString& title,
                                   workbench::ColumnUnit unit);
  QString makeHere(Document* document, const pairing::ChangedFile& file);
  // Returns those that are to be made, or why one cannot be.
  editor::Result<QVector<workbench::FileMove>> movesOf(const workbench::WorkspaceEdit& edit) const;
  // All or none; returns why none was.
  QString move(const QVector<workbench::FileMove>& moves);
  void offerBack(const QVector<workbench::FileMove>& moves);

  LanguageGuideParts p_;
  OpenTexts texts_;
  QString folder_;  // of the server whose edit is being made
};

}  // namespace waferpair::gui
