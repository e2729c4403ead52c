// SPDX-License-Identifier: GPL-3.0-or-later
// Lists what the language server offers to do about the caret's place or the selection: mend what
// is wrong there, or change the code's shape. UI thread only.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QPointer>

#include "gui/workbench/workspace_changes.h"
#include "workbench/language/code_actions.h"

namespace waferpair::gui {

class LanguageActions : public QObject {
  Q_OBJECT
 public:
  // It outlives this, and so does what the parts point at.
  LanguageActions(const LanguageGuideParts& parts, WorkspaceChanges* changes,
                  QObject* parent = nullptr);

  // Lists what can be done; the user chooses.
  void choose();
  // Does to the text in front what the server offers of this kind ("source.organizeImports"), the
  // first of several; `none` is said where it offers nothing.
  void doToText(const QString& kind, const QString& none);

  // Tells how many ways to mend what is wrong in the caret's line there are, unless the user goes
  // elsewhere first, or nobody can tell.
  void countFixes(Document* document, const std::function<void(qsizetype fixes)>& tell);

 private:
  using Offered = std::function<void(const QVector<workbench::CodeAction>& actions,
                                     const WorkspaceChanges::Versions& versions)>;
  // Asks about these bytes of the text in front. What comes once the user has gone elsewhere is
  // dropped.
  void ask(workbench::ByteRange range, QJsonObject context, const QString& none,
           const Offered& offered);
  void show(const QVector<workbench::CodeAction>& actions,
            const WorkspaceChanges::Versions& versions);
  // Asks for what is missing of it first.
  void take(const workbench::CodeAction& action, const WorkspaceChanges::Versions& versions);
  void make(const workbench::CodeAction& action, const WorkspaceChanges::Versions& versions);
  void say(const QString& text) { sayOfLanguage(p_, text); }

  LanguageGuideParts p_;
  WorkspaceChanges* changes_;
  QPointer<workbench::LanguageClient> client_;
};

}  // namespace waferpair::gui
