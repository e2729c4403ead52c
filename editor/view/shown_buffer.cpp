// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/view/shown_buffer.h"

#include <algorithm>
#include <utility>

#include "editor/view/text_view.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

constexpr qint64 kPiece = 1 << 20;

SafeMode modeFor(const Snapshot& text) {
  if (text.size() > kHugeBytes) return SafeMode::kHuge;
  bool isText = true;
  text.read(0, text.size(),
            [&isText](QByteArrayView piece) { isText = isText && !piece.contains('\0'); });
  return isText ? SafeMode::kOff : SafeMode::kRaw;
}

// Scintilla has no call for it: something is saved, and then lost on a branch of the history that
// the next edit cuts off.
void loseSavePoint(TextView* editor) {
  editor->applyEdits({{0, 0, " "}});
  editor->sci(Sci::SCI_SETSAVEPOINT);
  editor->undo();
}

}  // namespace

ShownBuffer::ShownBuffer(Buffer* buffer, TextView* editor, QObject* parent)
    : QObject(parent), buffer_(buffer), editor_(editor) {
  editor->startVersionsAbove(buffer->version());
  makeAgain(buffer->history());
  Q_ASSERT(text() == buffer->snapshot());
  buffer->show(this, editor->version());
  connect(editor, &TextView::edited, this, [this](const QVector<TextEdit>& edits, qint64 version) {
    buffer_->viewEdited(edits, version);
  });
  connect(editor, &TextView::documentReset, this,
          [this] { buffer_->viewReset(editor_->version()); });
  connect(editor, &TextView::modifiedChanged, this, [this] { buffer_->viewModifiedChanged(); });
}

ShownBuffer::~ShownBuffer() {
  if (buffer_ == nullptr) return;
  editor_->flushEdits();
  buffer_->snapshot();
  disconnect(editor_, nullptr, this, nullptr);
  buffer_->unshow(this, takeSteps());
}

void ShownBuffer::bufferGone() {
  disconnect(editor_, nullptr, this, nullptr);
  buffer_ = nullptr;
}

void ShownBuffer::makeAgain(const UndoHistory& history) {
  Snapshot first = buffer_->snapshot();
  for (qsizetype step = history.done; step > 0; --step)
    for (const TextEdit& edit : history.steps[step - 1].inverse) first = first.edited(edit);
  editor_->setText(first.toByteArray(), modeFor(first));
  Q_ASSERT(history.saved >= 0 || !history.steps.isEmpty());
  if (history.saved < 0) loseSavePoint(editor_);
  for (qsizetype step = 0; step < history.steps.size(); ++step) {
    editor_->applyEdits(history.steps[step].edits);
    if (history.saved == step + 1) editor_->setUnmodified();
  }
  for (qsizetype step = history.steps.size(); step > history.done; --step) editor_->undo();
}

// Undoes all there is, to see what each step is, and makes it again.
UndoHistory ShownBuffer::takeSteps() {
  // Blanks that a line break put are no longer taken away when the caret leaves them: that would be
  // an edit amid all this.
  editor_->keepAutoIndent();
  QVector<TextEdit> edits;
  const auto taking = connect(editor_, &TextView::edited, this,
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
  Snapshot text = this->text();
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

Snapshot ShownBuffer::text() const {
  Snapshot text;
  const qint64 size = editor_->length();
  for (qint64 at = 0; at < size; at += kPiece)
    text = text.appended(editor_->textRange(at, at + kPiece));
  return text;
}

bool ShownBuffer::hasUntoldEdits() const { return editor_->version() != buffer_->version(); }

void ShownBuffer::settle() {
  if (editor_->hasUntoldEdits()) editor_->flushEdits();
}

void ShownBuffer::apply(const QVector<TextEdit>& edits) { editor_->applyEdits(edits); }

void ShownBuffer::beginStep() { editor_->sci(Sci::SCI_BEGINUNDOACTION); }

void ShownBuffer::endStep() { editor_->sci(Sci::SCI_ENDUNDOACTION); }

void ShownBuffer::reset(const Snapshot& text) {
  editor_->setText(text.toByteArray(), modeFor(text));
}

Result<void> ShownBuffer::load(const TextFile& file) { return editor_->load(file); }

void ShownBuffer::load(const PreparedText& prepared) { editor_->load(prepared); }

bool ShownBuffer::canUndo() const { return editor_->sci(Sci::SCI_CANUNDO) != 0; }

bool ShownBuffer::canRedo() const { return editor_->sci(Sci::SCI_CANREDO) != 0; }

void ShownBuffer::undo() { editor_->undo(); }

void ShownBuffer::redo() { editor_->redo(); }

bool ShownBuffer::isModified() const { return editor_->isModified(); }

void ShownBuffer::markSaved() { editor_->setUnmodified(); }

}  // namespace waferpair::editor
