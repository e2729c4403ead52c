// SPDX-License-Identifier: GPL-3.0-or-later
// A text that is edited, with no widget: its content as snapshots, its undo history, and whether it
// is as it was saved. UI thread only; the snapshots are for any thread.
//
// An undo step is one apply(), or all that are made between beginStep() and endStep(). A new step
// drops what was undone.
//
// While a view shows the buffer (Scintilla is one: editor/view/shown_buffer.h), text and history
// are the view's, as it groups the user's keys into steps itself. The steps made before go over to
// the view one for one, and when it lets go the buffer takes back whatever steps there are then: a
// step stays a step, and can be undone whether the buffer is shown or not. A text that came into
// the view as a whole the buffer takes from there when somebody first asks for it: until then a
// large one is in memory once.
#pragma once

#include <QObject>
#include <QVector>

#include <memory>
#include <optional>

#include "editor/text/result.h"
#include "editor/text/snapshot.h"
#include "editor/text/text_file.h"

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

// What a view has made of a text before it is to show it; what that is, the view knows.
class PreparedView {
 public:
  virtual ~PreparedView() = default;
};

// A file and its text, read at a time when nobody waits for them.
struct PreparedText {
  TextFile file;
  Snapshot text;  // all that TextFile::read() gives, unless it is unsaved
  std::shared_ptr<PreparedView> view = {};
  bool isUnsaved = false;  // somebody made another text of the file
};

// A view shows a buffer, and holds its text and history meanwhile. It tells Buffer::viewEdited() or
// viewReset() of whatever happens to the text there, also if the buffer asked for it.
class BufferView {
 public:
  virtual ~BufferView() = default;

  // The text as it is now, edits of which the buffer was not told included, and whether there are
  // any.
  virtual Snapshot text() const = 0;
  virtual bool hasUntoldEdits() const = 0;
  // Tells of edits that were made and not told yet.
  virtual void settle() = 0;
  // The edits are ranges of the text, and one step.
  virtual void apply(const QVector<TextEdit>& edits) = 0;
  // All edits applied between these are one step; pairs may be nested.
  virtual void beginStep() = 0;
  virtual void endStep() = 0;
  virtual void reset(const Snapshot& text) = 0;
  virtual Result<void> load(const TextFile& file) = 0;
  virtual void load(const PreparedText& prepared) = 0;
  virtual bool canUndo() const = 0;
  virtual bool canRedo() const = 0;
  virtual void undo() = 0;
  virtual void redo() = 0;
  virtual bool isModified() const = 0;
  virtual void markSaved() = 0;
  // The buffer is about to be no more; the view goes on by itself.
  virtual void bufferGone() = 0;
};

class Buffer : public QObject {
  Q_OBJECT
 public:
  explicit Buffer(const Snapshot& text = {}, QObject* parent = nullptr);
  ~Buffer() override;

  // The text of this version. A view that has it settles first; not to be asked for while one that
  // never gave its text is about to tell of edits.
  const Snapshot& snapshot() const;
  qint64 size() const { return snapshot().size(); }
  // Grows with each change; never goes back, not even with reset(). A view counts on from here, and
  // its numbers are the buffer's.
  qint64 version() const { return version_; }
  // The text with what was edited in the view within the current event, of which nobody was told.
  Snapshot textNow() const;
  // Has the view, if there is one, tell of that.
  void settle() const;

  // Edits the text: all edits or, when one is no range of the text that it meets or `version` is
  // not the present one, none. Offsets are of the text after the edits before; what changes nothing
  // is no step.
  Result<void> apply(qint64 version, const QVector<TextEdit>& edits);
  // Makes the text another one as one step, which touches only what differs (quickEdits()).
  void replaceText(const Snapshot& text);
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
  // The same with the text of a file, of which a view shows all that TextFile::read() gives. On
  // failure nothing changes.
  Result<void> load(const TextFile& file);
  // The same of a file that was read before.
  void load(const PreparedText& prepared);

  // -- For the view

  // The view takes this over before it shows the buffer.
  const UndoHistory& history() const { return history_; }
  // The view has taken over, and is at this version. One at a time.
  void show(BufferView* view, qint64 version);
  // The view lets go; `history` leads to the present text, which somebody has asked for.
  void unshow(BufferView* view, UndoHistory history);
  bool isShown() const { return view_ != nullptr; }
  void viewEdited(const QVector<TextEdit>& edits, qint64 version);
  void viewReset(qint64 version);
  void viewModifiedChanged();

 Q_SIGNALS:
  // Sent with edits in order; the offsets of each are of the text after the edits before it.
  void edited(const QVector<waferpair::editor::TextEdit>& edits, qint64 version);
  void wasReset();
  void modifiedChanged(bool modified);

 private:
  void take(const QVector<TextEdit>& edits, qint64 version);
  void tellModified();

  mutable Snapshot text_;
  mutable bool hasText_ = true;   // false: only the view has it
  std::optional<Snapshot> next_;  // the text that the view is just about to be reset to
  qint64 version_ = 0;
  UndoHistory history_;  // empty while a view has it
  BufferView* view_ = nullptr;
  int openSteps_ = 0;   // beginStep() without endStep()
  bool joins_ = false;  // the last step is the one that is open
  bool wasModified_ = false;
};

}  // namespace waferpair::editor
