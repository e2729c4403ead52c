// SPDX-License-Identifier: GPL-3.0-or-later
// A Markdown text as it reads, beside the text: rendered anew as the text is edited, scrolled with
// it. Pictures come from local files only; nothing is fetched. UI thread only.
#pragma once

#include <QDateTime>
#include <QHash>
#include <QTextBrowser>
#include <QTimer>

#include "editor/text/busy.h"
#include "editor/widget/prose.h"
#include "gui/kit/picture.h"

namespace waferpair::gui {

class Document;

class MarkdownPreview : public QTextBrowser, public editor::Busy {
  Q_OBJECT
 public:
  // A longer text is not rendered with each pause in typing.
  static constexpr qint64 kMostRendered = 2 << 20;  // bytes

  // Puts itself at the right of the document's text, which owns it.
  explicit MarkdownPreview(Document* document);

  QVariant loadResource(int type, const QUrl& name) override;
  bool isLoading() const { return loading_ > 0; }
  QString busyWith() const override;

 Q_SIGNALS:
  // A link leads to this file.
  // Lines and columns count from 1; 0: none is named.
  void fileWanted(const QString& path, int line, int column);
  void addressWanted(const QUrl& address);

 private:
  struct Picture {
    QImage image;
    QDateTime changed;
    qint64 size;
    bool isCurrent(const QString& path) const;
  };

  void render();
  void renderMore();
  QImage picture(const QUrl& name);
  void follow(const QUrl& link);
  void scrollWithText();
  void scrollText();
  // Places that the text and what is shown have in common, in order: a line of the text and its
  // height in the page, in pixels.
  void findHeadings();

  Document* document_;
  QTimer later_{this};
  QTextDocument* made_ = nullptr;  // with the first of pieces_, to be shown with all of them
  QVector<editor::ProsePiece> pieces_;
  qsizetype rendered_ = 0;
  QTimer more_{this};
  QHash<QString, Picture> pictures_;  // by path; null while they are read, or cannot be
  int loading_ = 0;
  struct Place {
    double line;
    double y;
  };
  QVector<Place> places_;
  bool scrolling_ = false;
};

}  // namespace waferpair::gui
