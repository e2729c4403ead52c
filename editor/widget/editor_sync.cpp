// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/editor_sync.h"

#include "editor/widget/code_editor.h"
#include "editor/widget/editor_suggestion_view.h"

namespace waferpair::editor {

EditorSync::EditorSync(CodeEditor* editor, DocumentSync* sync, QObject* parent)
    : QObject(parent), editor_(editor), sync_(sync) {
  connect(editor, &CodeEditor::documentReset, this, &EditorSync::tell);
  connect(editor, &CodeEditor::longLineChanged, this, &EditorSync::tell);
  connect(editor, &CodeEditor::languageChanged, this, &EditorSync::tell);
  connect(editor, &CodeEditor::edited, this, &EditorSync::edited);
}

EditorSync::~EditorSync() { close(); }

void EditorSync::open(const DocumentId& id) {
  close();
  id_ = id;
  tell();
}

void EditorSync::close() {
  if (!id_.isEmpty()) sync_->close(id_);
  id_.clear();
}

// The whole text, whatever was told before.
void EditorSync::tell() {
  if (id_.isEmpty()) return;
  sync_->close(id_);
  if (editor_->safeMode() == SafeMode::kBinary) return;
  if (editor_->safeMode() == SafeMode::kHuge && !editor_->isModified()) return;
  sync_->open({.id = id_,
               .language = editor_->language(),
               .version = editor_->version(),
               .text = Snapshot(editor_->text()),
               .silent = silenceOf(*editor_)});
}

void EditorSync::edited(const QVector<TextEdit>& edits, qint64 version) {
  if (id_.isEmpty()) return;
  // Told as a whole already, edits included.
  if (const SyncedDocument* told = sync_->find(id_); told != nullptr && told->version >= version)
    return;
  if (!sync_->change(id_, version, edits)) tell();
}

}  // namespace waferpair::editor
