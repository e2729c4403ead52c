// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/shown_buffer.h"

#include <algorithm>
#include <utility>

#include "editor/widget/code_editor.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

// Scintilla has no call for it: something is saved, and then lost on a branch of the history that
// the next edit cuts off.
void loseSavePoint(CodeEditor* editor) {
  editor->applyEdits({{0, 0, " "}});
  editor->sci(Sci::SCI_SETSAVEPOINT);
  editor->undo();
}

}  // namespace

ShownBuffer::ShownBuffer(Buffer* buffer, CodeEditor* editor, QObject* parent)
    : QObject(parent), buffer_(buffer), editor_(editor) {
  load(buffer->show(this));
  Q_ASSERT(editor->text() == buffer->snapshot().toByteArray());
  connect(editor, &CodeEditor::edited, this,
          [this](const QVector<TextEdit>& edits) { buffer_->viewEdited(edits); });
  connect(editor, &CodeEditor::documentReset, this,
          [this] { buffer_->viewReset(Snapshot(editor_->text())); });
  connect(editor, &CodeEditor::modifiedChanged, this, [this] { buffer_->viewModifiedChanged(); });
}

ShownBuffer::~ShownBuffer() {
  editor_->flushEdits();
  disconnect(editor_, nullptr, this, nullptr);
  buffer_->unshow(this, unload());
}

void ShownBuffer::load(const UndoHistory& history) {
  Snapshot first = buffer_->snapshot();
  for (qsizetype step = history.done; step > 0; --step)
    for (const TextEdit& edit : history.steps[step - 1].inverse) first = first.edited(edit);
  editor_->setText(first.toByteArray(),
                   first.size() > kHugeBytes ? SafeMode::kHuge : SafeMode::kOff);
  Q_ASSERT(history.saved >= 0 || !history.steps.isEmpty());
  if (history.saved < 0) loseSavePoint(editor_);
  for (qsizetype step = 0; step < history.steps.size(); ++step) {
    editor_->applyEdits(history.steps[step].edits);
    if (history.saved == step + 1) editor_->setUnmodified();
  }
  for (qsizetype step = history.steps.size(); step > history.done; --step) editor_->undo();
}

// Undoes all there is, to see what each step is, and makes it again.
UndoHistory ShownBuffer::unload() {
  // Blanks that a line break put are no longer taken away when the caret leaves them: that would be
  // an edit amid all this.
  editor_->keepAutoIndent();
  QVector<TextEdit> edits;
  const auto taking = connect(editor_, &CodeEditor::edited, this,
                              [&edits](const QVector<TextEdit>& made) { edits += made; });
  // Scintilla counts groups in which nothing was edited as steps; they are none.
  const auto redoOne = [&] {
    edits.clear();
    while (edits.isEmpty() && canRedo()) editor_->redo();
    return !edits.isEmpty();
  };
  qsizetype undone = 0;
  while (redoOne()) ++undone;
  UndoHistory history;
  Snapshot text(editor_->text());
  qsizetype savedBehind = -1;  // so many steps before the last
  while (true) {
    if (!editor_->isModified()) savedBehind = history.steps.size();
    edits.clear();
    while (edits.isEmpty() && canUndo()) editor_->undo();
    if (edits.isEmpty()) break;
    history.steps.append({inverseOf(edits, text), edits});
    for (const TextEdit& edit : edits) text = text.edited(edit);
  }
  std::reverse(history.steps.begin(), history.steps.end());
  history.done = history.steps.size() - undone;
  history.saved = savedBehind < 0 ? -1 : history.steps.size() - savedBehind;
  for (qsizetype step = 0; step < history.done; ++step) redoOne();
  disconnect(taking);
  return history;
}

void ShownBuffer::settle() { editor_->flushEdits(); }

void ShownBuffer::apply(const QVector<TextEdit>& edits) { editor_->applyEdits(edits); }

void ShownBuffer::beginStep() { editor_->sci(Sci::SCI_BEGINUNDOACTION); }

void ShownBuffer::endStep() { editor_->sci(Sci::SCI_ENDUNDOACTION); }

void ShownBuffer::reset(const Snapshot& text) {
  editor_->setText(text.toByteArray(), text.size() > kHugeBytes ? SafeMode::kHuge : SafeMode::kOff);
}

bool ShownBuffer::canUndo() const { return editor_->sci(Sci::SCI_CANUNDO) != 0; }

bool ShownBuffer::canRedo() const { return editor_->sci(Sci::SCI_CANREDO) != 0; }

void ShownBuffer::undo() { editor_->undo(); }

void ShownBuffer::redo() { editor_->redo(); }

bool ShownBuffer::isModified() const { return editor_->isModified(); }

void ShownBuffer::markSaved() { editor_->setUnmodified(); }

}  // namespace waferpair::editor
