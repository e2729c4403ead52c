// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/quoted_lines.h"

#include <QFileInfo>

#include "editor/text/text_file.h"
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

editor::Snapshot QuotedLines::textOf(const QString& path) {
  if (!texts_.contains(path) && texts_.size() < kMostQuotedFiles) {
    // What is longer is not even looked at.
    const auto file = QFileInfo(path).size() <= kLargestQuotedFile
                          ? editor::TextFile::open(path)
                          : editor::Result<editor::TextFile>(editor::fail({}));
    const bool isText =
        file && file->size() <= kLargestQuotedFile && file->safeMode() == editor::SafeMode::kOff;
    const auto text = isText ? file->readText() : editor::Snapshot();
    texts_.insert(path, text ? *text : editor::Snapshot());
  }
  return texts_.value(path);
}

QString QuotedLines::lineOf(const workbench::Location& location) {
  return QString::fromUtf8(textOf(location.path).line(location.start.line))
      .simplified()
      .left(kMostOfQuote);
}

QString shownPath(const QString& path, const QString& folder) {
  const QString inFolder = folder + u'/';
  return !folder.isEmpty() && path.startsWith(inFolder) ? path.mid(inFolder.size()) : path;
}

QString shownPlace(const workbench::Location& location, const QString& folder) {
  return QStringLiteral("%1:%2").arg(shownPath(location.path, folder)).arg(location.start.line + 1);
}

}  // namespace waferpair::gui
