// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/keys/undo_carets.h"

#include <QKeyEvent>
#include <utility>

#include "editor/layers/bookmarks.h"
#include "editor/text/word_byte.h"
#include "editor/view/text_view.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

constexpr qint64 kTypingPauseMs = 3000;

// Scintilla keeps its history as long as a text is open; what is kept beside it is bounded.
constexpr size_t kMostUndoStates = 2'000;
constexpr qsizetype kMostCarets = 2'000;  // of one state

// Typed as text.
bool isLetterKey(const QKeyEvent& key) {
  const bool isCommand =
      (key.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != 0;
  return !isCommand && !key.text().isEmpty() && key.text().front().isPrint();
}

}  // namespace

UndoCarets::UndoCarets(TextView* editor, Bookmarks* bookmarks)
    : QObject(editor), editor_(editor), bookmarks_(bookmarks) {
  editor->installEventFilter(this);
  connect(editor, &QsciScintillaBase::SCN_MODIFIED, this,
          [this](int, int type, const char*, int, int, int, int, int, int, int) {
            beforeModified(type);
          });
  connect(editor, &TextView::edited, this, &UndoCarets::settle);
  connect(editor, &TextView::cursorMoved, this, &UndoCarets::caretMoved);
  connect(editor, &TextView::documentReset, this, [this] {
    before_.clear();
    after_.clear();
    at_ = 0;
    isOpen_ = false;
  });
}

UndoCarets::State UndoCarets::now() const {
  return {selectionsOf(*editor_), mainSelection(*editor_), bookmarks_->lines()};
}

void UndoCarets::keep(States* states, State state) {
  if (state.selections.size() > kMostCarets) return;
  states->insert_or_assign(at_, std::move(state));
  if (states->size() > kMostUndoStates) states->erase(states->begin());
}

// Each of Scintilla's notices is of one action of its history, which an undo makes the inverse of.
void UndoCarets::beforeModified(int type) {
  if ((type & (Sci::SC_MOD_BEFOREINSERT | Sci::SC_MOD_BEFOREDELETE)) == 0) return;
  const bool isHistory = (type & (Sci::SC_PERFORMED_UNDO | Sci::SC_PERFORMED_REDO)) != 0;
  if (isHistory && last_ == Kind::kEdit) bookmarksThen_ = bookmarks_->lines();
  if ((type & Sci::SC_PERFORMED_UNDO) != 0) {
    last_ = Kind::kUndo;
    --at_;
    return;
  }
  if ((type & Sci::SC_PERFORMED_REDO) != 0) {
    last_ = Kind::kRedo;
    ++at_;
    return;
  }
  last_ = Kind::kEdit;
  // What was undone cannot be redone any more.
  before_.erase(before_.lower_bound(at_), before_.end());
  after_.erase(after_.upper_bound(at_), after_.end());
  if (!std::exchange(isOpen_, true)) keep(&before_, now());
  ++at_;
}

// The edits of an event are told, and the carets are where it has put them.
void UndoCarets::settle() {
  if (last_ == Kind::kEdit) {
    if (std::exchange(isOpen_, false)) keep(&after_, now());
    return;
  }
  const bool isUndone = last_ == Kind::kUndo;
  const States& states = isUndone ? before_ : after_;
  last_ = Kind::kEdit;
  const auto found = states.find(at_);
  if (found == states.end()) return;
  bringBookmarks(isUndone ? after_ : before_, found->second);
  if (bringsCarets_) setSelections(editor_, found->second.selections, found->second.main);
}

// Those of the state, if they are by now as they were at the other end of the step: none has been
// set or taken away since.
void UndoCarets::bringBookmarks(const States& others, const State& state) {
  auto other = others.upper_bound(at_);
  if (&others == &before_) {
    other = others.lower_bound(at_);
    if (other == others.begin()) return;
    --other;
  }
  if (other == others.end() || other->second.bookmarks != bookmarksThen_) return;
  if (bookmarks_->lines() != state.bookmarks) bookmarks_->setLines(state.bookmarks);
}

void UndoCarets::caretMoved() {
  if (std::exchange(movedAt_, editor_->version()) == editor_->version()) breakStep();
}

// An empty group: Scintilla joins no letter with one before it.
void UndoCarets::breakStep() {
  editor_->sci(Sci::SCI_BEGINUNDOACTION);
  editor_->sci(Sci::SCI_ENDUNDOACTION);
  hasWord_ = false;
}

bool UndoCarets::eventFilter(QObject* watched, QEvent* event) {
  if (watched == editor_ && event->type() == QEvent::KeyPress) {
    const auto& key = *static_cast<QKeyEvent*>(event);
    const bool isAfterPause = sinceKey_.isValid() && sinceKey_.hasExpired(kTypingPauseMs);
    sinceKey_.start();
    const qint64 caret = editor_->caret();
    const QByteArray before = editor_->textRange(caret - 1, caret);
    const bool isOfWord = isLetterKey(key) && !key.text().front().isSpace();
    const bool beginsWord = isOfWord && !before.isEmpty() && isBlankByte(before[0]);
    if (isAfterPause || (beginsWord && hasWord_)) breakStep();
    hasWord_ = hasWord_ || isOfWord;
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace waferpair::editor
