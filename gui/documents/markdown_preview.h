// SPDX-License-Identifier: GPL-3.0-or-later
// A Markdown text as it reads, beside the text: rendered anew as the text is edited, scrolled with
// it. Pictures come from local files only; nothing is fetched. UI thread only.
#pragma once

#include <QTextBrowser>
#include <QTimer>

namespace waferpair::gui {

class Document;

class MarkdownPreview : public QTextBrowser {
  Q_OBJECT
 public:
  // A longer text is not rendered with each pause in typing.
  static constexpr qint64 kMostRendered = 2 << 20;  // bytes

  // Puts itself at the right of the document's text, which owns it.
  explicit MarkdownPreview(Document* document);

  QVariant loadResource(int type, const QUrl& name) override;

 Q_SIGNALS:
  // A link leads to this file.
  void fileWanted(const QString& path);
  void addressWanted(const QUrl& address);

 private:
  void render();
  void follow(const QUrl& link);
  void scrollWithText();
  void scrollText();
  // Places that the text and what is shown have in common, in order: a line of the text and its
  // height in the page, in pixels.
  void findHeadings();

  Document* document_;
  QTimer later_;
  struct Place {
    double line;
    double y;
  };
  QVector<Place> places_;
  bool scrolling_ = false;
};

}  // namespace waferpair::gui
