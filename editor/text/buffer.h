// SPDX-License-Identifier: GPL-3.0-or-later
// A text that is edited, with no widget: its content as snapshots, its undo history, and whether it
// is as it was saved. UI thread only; the snapshots are for any thread.
//
// An undo step is one apply(), or all that are made between beginStep() and endStep(). A new step
// drops what was undone.
//
// While a view shows the buffer (Scintilla is one: editor/widget/shown_buffer.h), text and history
// are the view's, as it groups the user's keys into steps itself. The steps made before go over to
// the view one for one, and when it lets go the buffer takes back whatever steps there are then: a
// step stays a step, and can be undone whether the buffer is shown or not.
#pragma once

#include <QObject>
#include <QVector>

#include "editor/text/result.h"
#include "editor/text/snapshot.h"

namespace waferpair::editor {

// One undo step: what it did, and what takes it back, each to be applied in order.
struct UndoStep {
  QVector<TextEdit> edits;
  QVector<TextEdit> inverse;
};

struct UndoHistory {
  QVector<UndoStep> steps;
  qsizetype done = 0;   // steps[done] and those after it were undone
  qsizetype saved = 0;  // with so many steps done the text is as it was saved; -1: with none
};

// A view shows a buffer, and holds its text and history meanwhile. It tells Buffer::viewEdited() or
// viewReset() of whatever happens to the text there, also if the buffer asked for it.
class BufferView {
 public:
  virtual ~BufferView() = default;

  // Tells of edits that were made and not told yet.
  virtual void settle() = 0;
  // The edits are ranges of the text, and one step.
  virtual void apply(const QVector<TextEdit>& edits) = 0;
  // All edits applied between these are one step; pairs may be nested.
  virtual void beginStep() = 0;
  virtual void endStep() = 0;
  virtual void reset(const Snapshot& text) = 0;
  virtual bool canUndo() const = 0;
  virtual bool canRedo() const = 0;
  virtual void undo() = 0;
  virtual void redo() = 0;
  virtual bool isModified() const = 0;
  virtual void markSaved() = 0;
};

class Buffer : public QObject {
  Q_OBJECT
 public:
  explicit Buffer(const Snapshot& text = {}, QObject* parent = nullptr);

  const Snapshot& snapshot() const { return text_; }
  qint64 size() const { return text_.size(); }
  // Grows with each change; never goes back, not even with reset().
  qint64 version() const { return version_; }
  // Has the view, if there is one, tell of what was edited within the current event.
  void settle();

  // Edits the text: all edits or, when one is no range of the text that it meets or `version` is
  // not the present one, none. Offsets are of the text after the edits before; what changes nothing
  // is no step.
  Result<void> apply(qint64 version, const QVector<TextEdit>& edits);
  // All edits applied between these are one step. Pairs may be nested; nothing is undone, redone or
  // reset, and no view comes or goes, meanwhile.
  void beginStep();
  void endStep();

  // False when there is nothing to undo or redo.
  bool undo();
  bool redo();
  bool canUndo() const;
  bool canRedo() const;

  bool isModified() const;
  void markSaved();

  // Replaces the text by another, unmodified, with no history.
  void reset(const Snapshot& text);

  // -- For the view

  // The view takes over: it gets what there is. One at a time.
  UndoHistory show(BufferView* view);
  // The view lets go; `history` leads to the present text.
  void unshow(BufferView* view, UndoHistory history);
  bool isShown() const { return view_ != nullptr; }
  void viewEdited(const QVector<TextEdit>& edits);
  void viewReset(const Snapshot& text);
  void viewModifiedChanged();

 Q_SIGNALS:
  // Sent with edits in order; the offsets of each are of the text after the edits before it.
  void edited(const QVector<waferpair::editor::TextEdit>& edits, qint64 version);
  void wasReset();
  void modifiedChanged(bool modified);

 private:
  void take(const QVector<TextEdit>& edits);
  void tellModified();

  Snapshot text_;
  qint64 version_ = 0;
  UndoHistory history_;  // empty while a view has it
  BufferView* view_ = nullptr;
  int openSteps_ = 0;   // beginStep() without endStep()
  bool joins_ = false;  // the last step is the one that is open
  bool wasModified_ = false;
};

}  // namespace waferpair::editor
