// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/rich_text.h"

#include <QPointer>
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

void RichText::render() {
  auto* made = new QTextDocument(this);
  made->setDefaultFont(font());
  made->setDocumentMargin(0);
  if (isCut_)
    editor::fillProse(made, piece_);
  else
    editor::fillProse(made, piece_.text);
  made->setIndentWidth(kIndent);
  styleMarkdown(made);
  const QPointer<QTextDocument> before = document();
  setDocument(made);  // the first one, which is not of our making, is gone with it
  delete before;
  fit();
}

QVariant RichText::loadResource(int, const QUrl&) { return editor::noPicture(); }

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
