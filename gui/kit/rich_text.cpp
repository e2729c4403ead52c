// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/rich_text.h"

#include <QPointer>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QWheelEvent>
#include <QtMath>

#include "gui/kit/markdown_look.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {
namespace {

constexpr int kIndent = 20;  // pixels a level of lists

// In place of each picture: what it is of, or its address.
void takePicturesOut(QTextDocument* document) {
  for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
    for (auto it = block.begin(); !it.atEnd();) {
      const QTextFragment fragment = it.fragment();
      if (!fragment.charFormat().isImageFormat()) {
        ++it;
        continue;
      }
      const QTextImageFormat image = fragment.charFormat().toImageFormat();
      const QString alt = image.property(QTextFormat::ImageAltText).toString();
      QTextCursor cursor(document);
      cursor.setPosition(fragment.position());
      cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
      cursor.insertText(RichText::tr("[picture: %1]").arg(alt.isEmpty() ? image.name() : alt),
                        QTextCharFormat());
      it = block.begin();
    }
  }
}

}  // namespace

RichText::RichText(QWidget* parent) : QTextBrowser(parent) {
  setProperty("role", QStringLiteral("answer"));
  setFrameShape(QFrame::NoFrame);
  setOpenLinks(false);
  setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(this, &QTextBrowser::anchorClicked, this, &RichText::linkClicked);
  connect(&Theme::instance(), &Theme::changed, this, &RichText::render);
}

void RichText::showMarkdown(const QString& markdown) {
  if (markdown == markdown_) return;
  markdown_ = markdown;
  render();
}

void RichText::render() {
  auto* made = new QTextDocument(this);
  made->setDefaultFont(font());
  made->setDocumentMargin(0);
  made->setMarkdown(markdown_,
                    QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) |
                        QTextDocument::MarkdownNoHTML);
  takePicturesOut(made);
  made->setIndentWidth(kIndent);
  styleMarkdown(made);
  const QPointer<QTextDocument> before = document();
  setDocument(made);  // the first one, which is not of our making, is gone with it
  delete before;
  fit();
}

QVariant RichText::loadResource(int, const QUrl&) { return {}; }

void RichText::fit() {
  document()->setTextWidth(viewport()->width());
  setFixedHeight(qCeil(document()->size().height()) + 2);
}

void RichText::resizeEvent(QResizeEvent* event) {
  QTextBrowser::resizeEvent(event);
  if (event->oldSize().width() != event->size().width()) fit();
}

// It has nothing to scroll: what it lies in does.
void RichText::wheelEvent(QWheelEvent* event) { event->ignore(); }

}  // namespace waferpair::gui
