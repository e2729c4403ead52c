// SPDX-License-Identifier: GPL-3.0-or-later
// Colors the names in the texts by what their language servers say that they are. Only what is in
// sight is drawn, once the program has a moment. UI thread only.
#pragma once

#include <QPointer>
#include <QSet>
#include <QTimer>

#include "gui/store/settings.h"
#include "gui/workbench/language_guide.h"

namespace waferpair::workbench {
class DocumentTokens;
}

namespace waferpair::gui {

class SemanticColors : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  SemanticColors(workbench::DocumentTokens* tokens, const LanguageGuideParts& parts,
                 Settings* settings, QObject* parent = nullptr);

 private:
  void follow(Document* document);
  void applySettings();
  void drawSoon(Document* document);
  void draw(Document* document);

  workbench::DocumentTokens* tokens_;
  LanguageGuideParts p_;
  Settings* settings_;
  bool on_ = false;
  QSet<Document*> toDraw_;
  QTimer soon_{this};
};

}  // namespace waferpair::gui
