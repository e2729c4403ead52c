// SPDX-License-Identifier: GPL-3.0-or-later
// What in the open texts leads to a file or an address: what their language servers know of, and
// addresses that are written there. UI thread only.
#pragma once

#include <QHash>
#include <optional>

#include "gui/workbench/language_guide.h"
#include "workbench/language/document_links.h"
#include "workbench/language/language_client.h"
#include "workbench/language/repeated_question.h"

namespace waferpair::gui {

class TextLinks : public QObject {
  Q_OBJECT
 public:
  // Both outlive this, and so does what the parts point at.
  TextLinks(editor::DocumentSync* sync, const LanguageGuideParts& parts, QObject* parent = nullptr);

  // The one that this byte of the text is in.
  std::optional<workbench::DocumentLink> at(const Document* document, qint64 offset) const;
  // Opens the file here, or the address in the user's browser.
  void follow(Document* document, const workbench::DocumentLink& link);
  // The one at the caret of the text in front; says so where there is none.
  void followAtCaret();

 private:
  struct Known {
    workbench::LanguageAnswer answer;
    QVector<workbench::DocumentLink> links;
  };

  void go(const QString& target);

  LanguageGuideParts p_;
  workbench::RepeatedQuestion question_;
  QHash<QString, Known> known_;  // by document
};

}  // namespace waferpair::gui
