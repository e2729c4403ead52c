// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/agent_texts.h"

#include <QScopedValueRollback>

#include "editor/text/line_diff.h"
#include "gui/documents/editor_tabs.h"
#include "gui/translate.h"

namespace waferpair::gui {

using pairing::FileText;

editor::Result<void> AgentTexts::write(const QString& path, const FileText& text) {
  Document* document = tabs_->documentAt(path);
  const bool wasSaved = document && !document->isModified();
  const auto written = OpenTexts::write(path, text);
  // The document may be gone with its file.
  document = tabs_->documentAt(path);
  const QScopedValueRollback<bool> writing(isWriting_, true);
  if (written && wasSaved && document && !document->save())
    return editor::fail(tr("%1 could not be saved.").arg(document->title()));
  return written;
}

void AgentTexts::takeOutside(const QString& path, const FileText& before, const FileText& after) {
  Document* document = tabs_->documentAt(path);
  if (!document) return;
  if (!document->isModified() || !after.exists) return document->checkDisk();
  const auto merged = editor::lineMerge(before.text, document->text(), after.text);
  if (!merged) return document->checkDisk();
  // The file's own text first, so that saving later overwrites nothing unseen.
  if (!document->revert()) return;
  document->textDocument()->replaceText(*merged);
}

QStringList AgentTexts::unsaved(const QString& folder) const {
  QStringList paths;
  for (const Document* document : tabs_->modifiedDocuments())
    if (!document->path().isEmpty() && document->path().startsWith(folder + u'/'))
      paths.append(document->path());
  return paths;
}

bool AgentTexts::save(const QStringList& paths) {
  bool isAll = true;
  for (const QString& path : paths) {
    Document* document = tabs_->documentAt(path);
    isAll = (!document || document->save()) && isAll;
  }
  return isAll;
}

}  // namespace waferpair::gui
