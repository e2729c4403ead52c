// SPDX-License-Identifier: GPL-3.0-or-later
// Renames what is at the caret, wherever the language server knows of it: in the text in front at
// once, as one step; in several files after a look at each change. UI thread only.
#pragma once

#include <QObject>
#include <QPointer>

#include "gui/pairing/open_texts.h"
#include "gui/workbench/language_guide.h"
#include "pairing/changes/change_set.h"
#include "workbench/language/workspace_edit.h"

namespace waferpair::gui {

class InputPrompt;

class LanguageRename : public QObject {
  Q_OBJECT
 public:
  // Both outlive this, and so does what the parts point at.
  LanguageRename(const LanguageGuideParts& parts, InputPrompt* prompt, QObject* parent = nullptr);

  // Asks for the new name of what is at the caret.
  void begin();

 Q_SIGNALS:
  // These are to be looked at and decided about.
  void reviewWanted(const waferpair::pairing::ChangeSet& changes);

 private:
  // The texts that the server knows, as they are when it is asked.
  using Versions = QHash<QString, qint64>;

  void askForName(Document* document, qint64 offset, const QString& name);
  void send(Document* document, qint64 offset, const QString& name, const QString& newName);
  void take(const workbench::LanguageAnswer& answer, const Versions& versions,
            const QString& title);
  // What the files are to become; fails as a whole.
  editor::Result<pairing::ChangeSet> changesOf(const QVector<workbench::FileEdits>& files,
                                               const Versions& versions, const QString& title,
                                               workbench::ColumnUnit unit);
  Versions versionsNow() const;
  void applyHere(Document* document, const pairing::ChangedFile& file);
  void say(const QString& text) { sayOfLanguage(p_, text); }

  LanguageGuideParts p_;
  InputPrompt* prompt_;
  OpenTexts texts_;
  QPointer<workbench::LanguageClient> client_;
};

}  // namespace waferpair::gui
