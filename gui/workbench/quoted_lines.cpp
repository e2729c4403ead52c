// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/quoted_lines.h"

#include <QFile>

#include "gui/documents/editor_tabs.h"

namespace waferpair::gui {
namespace {

constexpr qint64 kLargestQuotedFile = 4 << 20;  // bytes
constexpr qsizetype kMostQuotedFiles = 200;
constexpr qsizetype kMostOfQuote = 160;  // UTF-16 units

}  // namespace

QuotedLines::QuotedLines(EditorTabs* tabs) {
  for (Document* document : tabs->documents()) texts_.insert(document->id(), document->text());
}

QString QuotedLines::lineOf(const workbench::Location& location) {
  if (!texts_.contains(location.path) && texts_.size() < kMostQuotedFiles) {
    QFile file(location.path);
    const bool isRead = file.size() <= kLargestQuotedFile && file.open(QIODevice::ReadOnly);
    texts_.insert(location.path, editor::Snapshot(isRead ? file.readAll() : QByteArray()));
  }
  return QString::fromUtf8(texts_.value(location.path).line(location.start.line))
      .simplified()
      .left(kMostOfQuote);
}

QString shownPath(const QString& path, const QString& folder) {
  const QString inFolder = folder + u'/';
  return !folder.isEmpty() && path.startsWith(inFolder) ? path.mid(inFolder.size()) : path;
}

}  // namespace waferpair::gui
