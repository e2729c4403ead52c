// SPDX-License-Identifier: GPL-3.0-or-later
// A bulb beside the caret's line while the language server knows how to mend what is wrong there.
// A click lists the ways. It covers no letter of the line. UI thread only.
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>

#include "gui/workbench/language_guide.h"

class QToolButton;

namespace waferpair::gui {

class LanguageActions;

class ActionBulb : public QObject {
  Q_OBJECT
 public:
  // Both outlive this, and so does what the parts point at.
  ActionBulb(const LanguageGuideParts& parts, LanguageActions* actions, QObject* parent = nullptr);

 private:
  void follow(Document* document);
  void look(Document* document);
  void ask();
  void show(Document* document, qsizetype fixes);
  void hide();
  void place();

  LanguageGuideParts p_;
  LanguageActions* actions_;
  QPointer<Document> wanted_;
  QPointer<Document> document_;  // that it is shown in
  QPointer<QToolButton> button_;
  int line_ = 0;
  QTimer soon_{this};
};

}  // namespace waferpair::gui
