// SPDX-License-Identifier: GPL-3.0-or-later
// Tells a DocumentSync of a buffer's text, with the language of the editor that shows it. A binary
// file is not told of, a huge one (SafeMode::kHuge) once it differs from what is on disk: until
// then its text is in memory only once.
#pragma once

#include <QObject>

#include "editor/assist/document_sync.h"

namespace waferpair::editor {

class Buffer;
class CodeEditor;

class EditorSync : public QObject {
  Q_OBJECT
 public:
  // `editor` shows the buffer (ShownBuffer). All outlive this.
  EditorSync(Buffer* buffer, CodeEditor* editor, DocumentSync* sync, QObject* parent = nullptr);
  ~EditorSync() override;  // closes the document

  // The buffer's text is the document `id` from now on; again after "save as".
  void open(const DocumentId& id);
  void close();

 private:
  void tell();
  void edited(const QVector<TextEdit>& edits, qint64 version);

  Buffer* buffer_;
  CodeEditor* editor_;
  DocumentSync* sync_;
  DocumentId id_;  // empty: none
};

}  // namespace waferpair::editor
