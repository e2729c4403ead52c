// SPDX-License-Identifier: GPL-3.0-or-later
// What a CodeEditor is put together of. What comes from the user is in code_editor_input.cpp.
#include "editor/widget/code_editor.h"

#include "editor/ghost/ghost_text.h"
#include "editor/ghost/line_hint.h"
#include "editor/keys/auto_pairs.h"
#include "editor/keys/caret_commands.h"
#include "editor/keys/undo_carets.h"
#include "editor/layers/bookmarks.h"
#include "editor/layers/line_notes.h"
#include "editor/layers/line_states.h"
#include "editor/layers/margin_words.h"
#include "editor/layers/run_marks.h"
#include "editor/layers/stop_marks.h"
#include "editor/widget/list_popup.h"
#include "editor/widget/modal_editor.h"
#include "editor/widget/snippet_mode.h"

namespace waferpair::editor {

CodeEditor::CodeEditor(QWidget* parent)
    : TextView(parent),
      pairs_(std::make_unique<AutoPairs>(this)),
      selectionSteps_(std::make_unique<SelectionSteps>()),
      bookmarks_(new Bookmarks(this)),
      undoCarets_(new UndoCarets(this, bookmarks_)),
      lineNotes_(new LineNotes(this)),
      ghost_(new GhostText(this, pairs_.get())),
      nextEditHint_(new LineHint(this, ghost_)),
      list_(new ListPopup(this)),
      snippets_(new SnippetMode(this)) {
  // Closers are told of an edit before the ghost that they make room for, and the ghost is painted
  // over what stands behind its line.
  for (ViewPart* part : {static_cast<ViewPart*>(pairs_.get()), static_cast<ViewPart*>(lineNotes_),
                         static_cast<ViewPart*>(ghost_), static_cast<ViewPart*>(nextEditHint_),
                         static_cast<ViewPart*>(list_)})
    addPart(part);
  setAccessibleName(tr("Editor"));
  ghost_->setKeyName(
      [this] { return keys_.key("accept-suggestion").toString(QKeySequence::NativeText); });
  lineNotes_->setCover([this](int line) {
    return (ghost_->isShown() && lineAt(ghost_->position()) == line) ||
           (nextEditHint_->isOffered() && nextEditHint_->line() == line);
  });
  connect(bookmarks_, &Bookmarks::changed, this, &CodeEditor::bookmarksChanged);
  connect(nextEditHint_, &LineHint::clicked, this, &CodeEditor::nextEditWanted);
}

CodeEditor::~CodeEditor() { modal_.reset(); }

void CodeEditor::mirror(TextView* source) {
  TextView::mirror(source);
  LineStates::of(this)->follow(LineStates::of(source));
  StopMarks::of(this)->follow(StopMarks::of(source));
  MarginWords::of(this)->follow(MarginWords::of(source));
  RunMarks::of(this)->follow(RunMarks::of(source));
}

void CodeEditor::setModalKeys(bool on) {
  if (on == (modal_ != nullptr)) return;
  modal_ = on ? std::make_unique<ModalEditor>(this) : nullptr;
  // Vim's keys have one caret, and leave it where something was undone.
  undoCarets_->setBringsCarets(!on);
  Q_EMIT modalChanged();
}

bool CodeEditor::hasBlockCaret() const { return modal_ && modal_->hasBlockCaret(); }

}  // namespace waferpair::editor
