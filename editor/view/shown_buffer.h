// SPDX-License-Identifier: GPL-3.0-or-later
// A Buffer shown and edited in a TextView: both hold the same text for as long as this lives,
// whichever of them is edited.
//
// Undo: Scintilla's history is the one in force, as it knows which keys make one step. The buffer's
// steps are made again in Scintilla, one for one, when it is shown (so the editor undoes what was
// edited before it opened), and Scintilla's steps become the buffer's when it is no longer shown.
// Both take time in proportion to the history. Other texts that the editor loads meanwhile are the
// buffer's, too. When the buffer is destroyed first, nothing of this is done.
#pragma once

#include <QObject>

#include "editor/text/buffer.h"

namespace waferpair::editor {

class TextView;

class ShownBuffer : public QObject, private BufferView {
  Q_OBJECT
 public:
  // Replaces the editor's text; its language and looks stay. The editor outlives this. Who connects
  // to the editor later is told of edits after the buffer.
  ShownBuffer(Buffer* buffer, TextView* editor, QObject* parent = nullptr);
  ~ShownBuffer() override;  // the editor keeps the text and goes on by itself

 private:
  Snapshot text() const override;
  bool hasUntoldEdits() const override;
  void settle() override;
  void apply(const QVector<TextEdit>& edits) override;
  void beginStep() override;
  void endStep() override;
  void reset(const Snapshot& text) override;
  Result<void> load(const TextFile& file) override;
  void load(const PreparedText& prepared) override;
  bool canUndo() const override;
  bool canRedo() const override;
  void undo() override;
  void redo() override;
  bool isModified() const override;
  void markSaved() override;
  void bufferGone() override;

  void makeAgain(const UndoHistory& history);
  UndoHistory takeSteps();

  Buffer* buffer_;  // null: it is no more
  TextView* editor_;
};

}  // namespace waferpair::editor
