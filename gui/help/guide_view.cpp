// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/help/guide_view.h"

#include <QAbstractTextDocumentLayout>
#include <QDir>
#include <QFileInfo>
#include <QImageReader>
#include <QScrollBar>
#include <QTextBlock>

#include "editor/widget/prose.h"
#include "gui/kit/markdown_look.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {
namespace {

constexpr int kMargin = 18;  // pixels
constexpr int kLeastPicture = 200;

}  // namespace

GuideView::GuideView(QWidget* parent) : QTextBrowser(parent) {
  setFrameShape(QFrame::NoFrame);
  setOpenLinks(false);
  // Links are gone through with Tab and followed with Return.
  setTextInteractionFlags(Qt::TextBrowserInteraction);
}

void GuideView::show(const QString& markdown, const QString& folder, const QString& marked) {
  markdown_ = markdown;
  folder_ = folder;
  marked_ = marked;
  pictureWidth_ = viewport()->width() - 2 * kMargin;
  document()->clear();
  document()->setDefaultFont(font());
  document()->setDocumentMargin(kMargin);
  document()->setBaseUrl(QUrl::fromLocalFile(folder + u'/'));
  editor::fillProse(document(), editor::ProsePiece{markdown}, editor::Pictures::kAsked);
  styleMarkdown(document());
  mark(marked);
}

void GuideView::mark(const QString& words) {
  QList<QTextEdit::ExtraSelection> marks;
  QTextCharFormat format;
  format.setBackground(Theme::instance().colors().selection);
  for (const QString& word : words.split(u' ', Qt::SkipEmptyParts)) {
    for (QTextCursor at = document()->find(word); !at.isNull(); at = document()->find(word, at))
      marks.append({at, format});
  }
  setExtraSelections(marks);
}

void GuideView::goToHeading(const QString& heading) {
  for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
    if (block.blockFormat().headingLevel() == 0 || block.text() != heading) continue;
    const qreal top = document()->documentLayout()->blockBoundingRect(block).top();
    return verticalScrollBar()->setValue(static_cast<int>(top) - kMargin / 2);
  }
  verticalScrollBar()->setValue(0);
}

void GuideView::goToFragment(const QString& fragment) {
  verticalScrollBar()->setValue(headingTop(*document(), fragment).value_or(0));
}

QVariant GuideView::loadResource(int, const QUrl& name) {
  // Only what lies in the guide's own folder.
  const QString file = QDir::cleanPath(QDir(folder_).filePath(name.fileName()));
  const QString picture =
      QFileInfo::exists(file)
          ? file
          : QDir::cleanPath(folder_ + QStringLiteral("/images/") + name.fileName());
  QImage image = QImageReader(picture).read();
  if (image.isNull()) return editor::noPicture();
  const int room = std::max(kLeastPicture, viewport()->width() - 2 * kMargin);
  return image.width() > room ? image.scaledToWidth(room, Qt::SmoothTransformation) : image;
}

void GuideView::resizeEvent(QResizeEvent* event) {
  QTextBrowser::resizeEvent(event);
  const int room = viewport()->width() - 2 * kMargin;
  if (markdown_.isEmpty() || room == pictureWidth_ || !markdown_.contains(QLatin1String("![")))
    return;
  // Pictures are fitted to the new width; the place in the page stays.
  const double part = verticalScrollBar()->maximum() > 0
                          ? verticalScrollBar()->value() / (verticalScrollBar()->maximum() + 0.0)
                          : 0;
  show(markdown_, folder_, marked_);
  verticalScrollBar()->setValue(static_cast<int>(part * verticalScrollBar()->maximum()));
}

}  // namespace waferpair::gui
