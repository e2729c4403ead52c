// SPDX-License-Identifier: GPL-3.0-or-later
// A Buffer shown and edited in a CodeEditor: both hold the same text for as long as this lives,
// whichever of them is edited.
//
// Undo: Scintilla's history is the one in force, as it knows which keys make one step. The buffer's
// steps are made again in Scintilla, one for one, when it is shown (so the editor undoes what was
// edited before it opened), and Scintilla's steps become the buffer's when it is no longer shown.
// Both take time in proportion to the history. Other texts that the editor loads meanwhile are the
// buffer's, too.
#pragma once

#include <QObject>

#include "editor/text/buffer.h"

namespace waferpair::editor {

class CodeEditor;

class ShownBuffer : public QObject, private BufferView {
  Q_OBJECT
 public:
  // Replaces the editor's text; its language and looks stay. Both outlive this.
  ShownBuffer(Buffer* buffer, CodeEditor* editor, QObject* parent = nullptr);
  ~ShownBuffer() override;  // the editor keeps the text and goes on by itself

 private:
  void settle() override;
  void apply(const QVector<TextEdit>& edits) override;
  void beginStep() override;
  void endStep() override;
  void reset(const Snapshot& text) override;
  bool canUndo() const override;
  bool canRedo() const override;
  void undo() override;
  void redo() override;
  bool isModified() const override;
  void markSaved() override;

  void load(const UndoHistory& history);
  UndoHistory unload();

  Buffer* buffer_;
  CodeEditor* editor_;
};

}  // namespace waferpair::editor
