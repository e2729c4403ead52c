// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/markdown_look.h"

#include <QAbstractTextDocumentLayout>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextTable>

#include "gui/kit/theme.h"

namespace waferpair::gui {
namespace {

void styleTables(QTextFrame* frame) {
  for (QTextFrame* inner : frame->childFrames()) {
    styleTables(inner);
    auto* table = qobject_cast<QTextTable*>(inner);
    if (!table) continue;
    QTextTableFormat format = table->format();
    format.setBorderCollapse(true);
    format.setBorder(1);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderBrush(Theme::instance().colors().border);
    format.setCellPadding(4);
    format.setCellSpacing(0);
    table->setFormat(format);
  }
}

void styleLinks(QTextDocument* document) {
  const QColor color = Theme::instance().colors().accent;
  for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
    for (auto it = block.begin(); !it.atEnd(); ++it) {
      if (!it.fragment().charFormat().isAnchor()) continue;
      QTextCursor cursor(document);
      cursor.setPosition(it.fragment().position());
      cursor.setPosition(it.fragment().position() + it.fragment().length(),
                         QTextCursor::KeepAnchor);
      QTextCharFormat format;
      format.setForeground(color);
      cursor.mergeCharFormat(format);
    }
  }
}

}  // namespace

void styleMarkdown(QTextDocument* document) {
  styleTables(document->rootFrame());
  styleLinks(document);
}

std::optional<int> headingTop(const QTextDocument& document, const QString& fragment) {
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    if (block.blockFormat().headingLevel() == 0) continue;
    QString anchor;
    for (const QChar c : block.text().toLower()) {
      if (c.isLetterOrNumber() || c == u'-' || c == u'_') anchor += c;
      if (c == u' ') anchor += u'-';
    }
    if (anchor == fragment)
      return static_cast<int>(document.documentLayout()->blockBoundingRect(block).top());
  }
  return std::nullopt;
}

}  // namespace waferpair::gui
