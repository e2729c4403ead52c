// SPDX-License-Identifier: GPL-3.0-or-later
// Shows where else the text in front uses the name at the caret, once the caret rests: in the text
// and beside its scroll bar. UI thread only.
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>

#include "gui/workbench/language_guide.h"

namespace waferpair::gui {

class NameHighlights : public QObject {
  Q_OBJECT
 public:
  // What the parts point at outlives this.
  explicit NameHighlights(const LanguageGuideParts& parts, QObject* parent = nullptr);

 private:
  void follow(Document* document);
  void followServers();
  void moved(Document* document);
  void ask();
  void drop();

  LanguageGuideParts p_;
  QPointer<Document> wanted_;
  QPointer<workbench::LanguageClient> asked_;
  qint64 question_ = 0;
  QTimer soon_{this};
};

}  // namespace waferpair::gui
