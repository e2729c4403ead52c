// SPDX-License-Identifier: GPL-3.0-or-later
// Has selections grow by what the language server knows of the syntax around the caret. It is asked
// once the caret rests, so that the key that selects more waits for nobody. UI thread only.
#pragma once

#include <QPointer>
#include <QTimer>

#include "gui/workbench/language_guide.h"

namespace waferpair::gui {

class SyntaxSelections : public QObject {
  Q_OBJECT
 public:
  // What the parts point at outlives this.
  explicit SyntaxSelections(const LanguageGuideParts& parts, QObject* parent = nullptr);

 private:
  void ask();

  LanguageGuideParts p_;
  QPointer<Document> wanted_;
  QPointer<workbench::LanguageClient> asked_;
  qint64 question_ = 0;
  QTimer soon_{this};
};

}  // namespace waferpair::gui
