// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/rich_text.h"

#include <QPointer>
#include <QScrollBar>
#include <QTextDocument>
#include <QWheelEvent>
#include <QtMath>

#include "gui/kit/markdown_look.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {
namespace {

constexpr int kIndent = 20;  // pixels a level of lists

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

void RichText::showPiece(const editor::ProsePiece& piece) {
  if (isCut_ && piece == piece_) return;
  piece_ = piece;
  isCut_ = true;
  render();
}

void RichText::showMarkdown(const QString& markdown) {
  if (!isCut_ && markdown == piece_.text) return;
  piece_ = {markdown, false};
  isCut_ = false;
  render();
}

void RichText::expectWidth(int width) {
  if (isVisible() || width <= 0) return;
  ensurePolished();
  resize(width, height());
  viewport()->resize(contentsRect().width(), viewport()->height());
}

void RichText::render() {
  ensurePolished();  // or the font would be another one later
  auto* made = new QTextDocument(this);
  made->setDefaultFont(font());
  made->setDocumentMargin(0);
  if (isCut_)
    editor::fillProse(made, piece_);
  else
    editor::fillProse(made, piece_.text);
  made->setIndentWidth(kIndent);
  styleMarkdown(made);
  made->setTextWidth(viewport()->width());
  const QPointer<QTextDocument> before = document();
  setDocument(made);  // the first one, which is not of our making, is gone with it
  delete before;
  fit();
}

QVariant RichText::loadResource(int, const QUrl&) { return editor::noPicture(); }

// To set a width lays out all of the text, though it be the one that it has.
void RichText::fit() {
  if (!isLaidOut()) document()->setTextWidth(viewport()->width());
  setFixedHeight(qCeil(document()->size().height()) + 2);
}

bool RichText::isLaidOut() const { return document()->textWidth() == viewport()->width(); }

// QTextEdit lays out the text at each width that it is told, and once more when it is shown.
void RichText::resizeEvent(QResizeEvent* event) {
  if (isLaidOut()) {
    QAbstractScrollArea::resizeEvent(event);
    verticalScrollBar()->setRange(0, 0);
    return;
  }
  QTextBrowser::resizeEvent(event);
  fit();
}

// It has nothing to scroll: what it lies in does.
void RichText::wheelEvent(QWheelEvent* event) { event->ignore(); }

}  // namespace waferpair::gui
