// SPDX-License-Identifier: GPL-3.0-or-later
// Has the language server of a text say what the call around the caret takes, when one of its
// characters is typed ("(", ",") or by key, and again while it is shown. UI thread only.
#pragma once

#include <QPointer>
#include <QTimer>

#include "gui/workbench/language_guide.h"

namespace waferpair::gui {

class SignatureBox;

class SignatureHints : public QObject {
  Q_OBJECT
 public:
  // What the parts point at outlives this.
  explicit SignatureHints(const LanguageGuideParts& parts, QObject* parent = nullptr);

  // The user asks: where nothing is known, that is said.
  void show();

 private:
  void follow(Document* document);
  void typed(Document* document);
  void ask(Document* document, const QJsonObject& context, bool byKey);
  void drop();

  LanguageGuideParts p_;
  QPointer<workbench::LanguageClient> asked_;
  qint64 question_ = 0;
  QPointer<Document> again_;  // whose caret moved while the box is open
  QTimer soon_{this};
};

}  // namespace waferpair::gui
