// SPDX-License-Identifier: GPL-3.0-or-later
// What language servers find wrong, drawn under the text of each open document, and the way from
// one place to the next. UI thread only.
#pragma once

#include <QObject>
#include <optional>

#include "pairing/context/gather_context.h"
#include "workbench/language/diagnostic.h"

namespace waferpair::workbench {
class LanguageService;
}

namespace waferpair::gui {

class Document;
class EditorTabs;

class DiagnosticMarks : public QObject {
  Q_OBJECT
 public:
  // Both outlive this.
  DiagnosticMarks(workbench::LanguageService* service, EditorTabs* tabs, QObject* parent = nullptr);

  // The worst of those at this byte of the document; none: there is none.
  std::optional<workbench::Diagnostic> at(const Document* document, qint64 offset) const;
  // The worst of those at this byte, or else of those that begin in its line.
  std::optional<workbench::Diagnostic> atLine(const Document* document, qint64 offset) const;
  // All that are at this byte, the worst first.
  QVector<workbench::Diagnostic> allAt(const Document* document, qint64 offset) const;
  // All that were found, for a model: those of the text in front first.
  QVector<pairing::ReportedProblem> reported() const;

  // Shows the place, opening the file when needed, and gives its text the keyboard.
  void goTo(const QString& path, const workbench::Diagnostic& diagnostic);
  // Goes to the next place from the caret on (+1) or back (-1), on into other files and around.
  void step(int direction);

 private:
  void draw(Document* document);

  workbench::LanguageService* service_;
  EditorTabs* tabs_;
};

}  // namespace waferpair::gui
