// SPDX-License-Identifier: GPL-3.0-or-later
// With Ctrl held down, what the mouse is over and leads somewhere is underlined: a link, or a name
// whose definition is known. A click goes there. UI thread only.
#pragma once

#include <QPointer>
#include <optional>

#include "gui/workbench/language_guide.h"
#include "workbench/language/document_links.h"

namespace waferpair::gui {

class TextLinks;

class HotPlaces : public QObject {
  Q_OBJECT
 public:
  // All outlive this.
  HotPlaces(TextLinks* links, LanguageGuide* guide, QObject* parent = nullptr);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void follow(Document* document);
  Document* documentOf(const QObject* watched) const;
  void look(Document* document, QPoint at);
  void askAbout(Document* document, workbench::ByteRange name);
  void heat(Document* document, workbench::ByteRange range);
  void cool();
  bool isHotAt(const Document* document, QPoint at) const;
  void go();

  TextLinks* links_;
  LanguageGuide* guide_;
  QPointer<Document> document_;                  // where something is underlined
  workbench::ByteRange range_;                   // of that
  std::optional<workbench::DocumentLink> link_;  // none: a name
  QPointer<workbench::LanguageClient> asked_;
  qint64 question_ = 0;
  QPointer<Document> about_;        // that was asked about last
  workbench::ByteRange aboutName_;  // likewise
  bool isPressed_ = false;
};

}  // namespace waferpair::gui
