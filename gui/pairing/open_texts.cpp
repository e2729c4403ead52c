// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/open_texts.h"

#include <QFileInfo>

#include "editor/text/kept_bytes.h"
#include "editor/text/quoted.h"
#include "gui/documents/editor_tabs.h"
#include "gui/translate.h"

namespace waferpair::gui {

using pairing::FileText;

editor::Result<FileText> OpenTexts::read(const QString& path) {
  const Document* document = tabs_->documentAt(path);
  if (!document) return disk_.read(path);
  if (document->textDocument()->isBinary())
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
  const auto kept = editor::withBytesOf(document->text(), text.text);
  if (!kept)
    return editor::fail(tr("The change of %1 would replace bytes that are no characters.")
                            .arg(editor::quotedPath(path)),
                        tr("Make it by hand, or replace those bytes first."));
  return document->textDocument()->replaceText(*kept);
}

}  // namespace waferpair::gui
