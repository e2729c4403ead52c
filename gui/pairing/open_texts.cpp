// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/open_texts.h"

#include <QFileInfo>

#include "editor/text/line_diff.h"
#include "editor/text/quoted.h"
#include "gui/documents/editor_tabs.h"
#include "gui/translate.h"

namespace waferpair::gui {

using pairing::FileText;

editor::Result<FileText> OpenTexts::read(const QString& path) {
  const Document* document = tabs_->documentAt(path);
  if (!document) return disk_.read(path);
  if (document->editor()->safeMode() == editor::SafeMode::kBinary)
    return editor::fail(tr("%1 is a binary file.").arg(editor::quotedPath(path)));
  return FileText{true, document->text(), document->encoding(), QFileInfo(path).isExecutable()};
}

editor::Result<void> OpenTexts::write(const QString& path, const FileText& text) {
  Document* document = tabs_->documentAt(path);
  if (!document) return disk_.write(path, text);
  if (!text.exists) {
    const auto deleted = disk_.write(path, text);
    if (deleted) tabs_->close(document);
    return deleted;
  }
  if (document->editor()->safeMode() == editor::SafeMode::kBinary)
    return editor::fail(tr("%1 is a binary file.").arg(editor::quotedPath(path)));
  document->editor()->flushEdits();
  document->editor()->applyEdits(editor::lineEdits(document->text(), text.text));
  return {};
}

}  // namespace waferpair::gui
