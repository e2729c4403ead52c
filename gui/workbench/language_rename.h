// SPDX-License-Identifier: GPL-3.0-or-later
// Renames what is at the caret, wherever the language server knows of it. UI thread only.
#pragma once

#include <QObject>
#include <QPointer>

#include "gui/workbench/rename_reach.h"
#include "gui/workbench/workspace_changes.h"

namespace waferpair::gui {

class InputPrompt;

class LanguageRename : public QObject {
  Q_OBJECT
 public:
  // All outlive this, and so does what the parts point at.
  LanguageRename(const LanguageGuideParts& parts, InputPrompt* prompt, WorkspaceChanges* changes,
                 const FileIndex* files, QObject* parent = nullptr);

  // Asks for the new name of what is at the caret.
  void begin();

 private:
  void askForName(Document* document, qint64 offset, const QString& name);
  void send(Document* document, qint64 offset, const QString& name, const QString& newName);
  void say(const QString& text) { sayOfLanguage(p_, text); }

  LanguageGuideParts p_;
  InputPrompt* prompt_;
  WorkspaceChanges* changes_;
  RenameReach reach_;
  QPointer<workbench::LanguageClient> client_;
};

}  // namespace waferpair::gui
