// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/editor_sync.h"

#include "editor/text/buffer.h"
#include "editor/widget/code_editor.h"
#include "editor/widget/editor_suggestion_view.h"

namespace waferpair::editor {

EditorSync::EditorSync(Buffer* buffer, CodeEditor* editor, DocumentSync* sync, QObject* parent)
    : QObject(parent), buffer_(buffer), editor_(editor), sync_(sync) {
  connect(buffer, &Buffer::wasReset, this, &EditorSync::tell);
  connect(buffer, &Buffer::edited, this, &EditorSync::edited);
  connect(editor, &CodeEditor::longLineChanged, this, &EditorSync::tell);
  connect(editor, &CodeEditor::languageChanged, this, [this](const QString& language) {
    // A file's is told with its text.
    if (const SyncedDocument* told = sync_->find(id_);
        told == nullptr || told->language != language)
      tell();
  });
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
  buffer_->settle();
  sync_->close(id_);
  if (editor_->safeMode() == SafeMode::kBinary) return;
  if (editor_->safeMode() == SafeMode::kHuge && !buffer_->isModified()) return;
  // The editor is just about to tell of edits: edited() comes next, and here again.
  if (editor_->version() != buffer_->version()) return;
  const bool isText = editor_->safeMode() != SafeMode::kRaw;
  sync_->open({.id = id_,
               .language = isText ? editor_->language() : QString(),
               .version = buffer_->version(),
               .text = buffer_->snapshot(),
               .silent = silenceOf(*editor_)});
}

void EditorSync::edited(const QVector<TextEdit>& edits, qint64 version) {
  if (id_.isEmpty()) return;
  if (sync_->find(id_) == nullptr) return tell();
  sync_->change(id_, version, edits, buffer_->snapshot());
}

}  // namespace waferpair::editor
