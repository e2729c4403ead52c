// SPDX-License-Identifier: GPL-3.0-or-later
// The editor's user input: keys, mouse, input methods, actions. The list of actions is in
// editor_actions.cpp, their effect on the text in editing_commands.cpp.
#include <QContextMenuEvent>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <algorithm>

#include "editor/ghost/ghost_text.h"
#include "editor/ghost/line_hint.h"
#include "editor/keys/auto_pairs.h"
#include "editor/keys/cluster_keys.h"
#include "editor/keys/editing_commands.h"
#include "editor/keys/line_clipboard.h"
#include "editor/view/clip_data.h"
#include "editor/view/rtl_text.h"
#include "editor/view/word.h"
#include "editor/widget/code_editor.h"
#include "editor/widget/list_popup.h"
#include "editor/widget/modal_editor.h"
#include "editor/widget/snippet_mode.h"

namespace waferpair::editor {

namespace {

constexpr qint64 kSurrounding = 1024;  // bytes either side of the caret that input methods see

// Keys by which the user writes, as against undo, paste and commands.
bool isTypingKey(const QKeyEvent& event) {
  const bool command =
      (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != 0;
  switch (event.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
      return !command;
    case Qt::Key_Backspace:
      return (event.modifiers() & (Qt::AltModifier | Qt::MetaModifier)) == 0;
    case Qt::Key_Delete:
      return (event.modifiers() & Qt::ShiftModifier) == 0;  // that one cuts
    default:
      return !command && !event.text().isEmpty() && event.text().front().isPrint();
  }
}

}  // namespace

// -- Events

bool CodeEditor::event(QEvent* event) {
  // Keys of ours that apply now win over the window's shortcuts.
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (modal_ && modal_->wants(*key)) {
      event->accept();
      return true;
    }
    const QVector<const EditorAction*> actions = keys_.actionsFor(*key);
    if (std::any_of(actions.begin(), actions.end(),
                    [this](const EditorAction* action) { return applies(*action); })) {
      event->accept();
      return true;
    }
  }
  return TextView::event(event);
}

void CodeEditor::keyPressEvent(QKeyEvent* event) {
  sinceKey_.start();
  // The effect of a key depends on the current places of the caret and the ghost.
  flushEdits();
  if (modal_ && modal_->press(*event)) {
    event->accept();
    return;
  }
  for (const EditorAction* action : keys_.actionsFor(*event)) {
    if (perform(*action)) {
      event->accept();
      return;
    }
  }
  // Scintilla would type the letter of an Alt+letter that no menu wanted.
  const bool alt = (event->modifiers() & Qt::AltModifier) != 0 &&
                   (event->modifiers() & Qt::ControlModifier) == 0;
  if (alt && !event->text().isEmpty() && event->text().front().isPrint()) {
    event->ignore();
    return;
  }
  if (event->matches(QKeySequence::Cut)) return cut();
  if (event->matches(QKeySequence::Copy)) return copy();
  if (event->matches(QKeySequence::Paste)) return paste();
  const qint64 before = version();
  const qint64 from = caret();
  if (!handleTypingKey(event)) {
    TextView::keyPressEvent(event);
    if (version() == before) leaveClusters(this, event->key() == Qt::Key_Right);
  }
  if (version() != before && isTypingKey(*event)) pairs_->leaveComment();
  // A closer that is overtyped counts as typed, though it stood there.
  const bool wrote = (version() != before || caret() != from) && isTypingKey(*event);
  flushEdits();
  if (wrote) Q_EMIT typed();
}

// Does what a typed key does beyond inserting; returns true when nothing is left to do.
bool CodeEditor::handleTypingKey(QKeyEvent* event) {
  if (!isTypingKey(*event) || sci(SCI_GETREADONLY) != 0) return false;
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
    // The lines that a suggestion has for below the bracket come from there.
    const bool suggested = ghost_->isShown() && ghost_->remaining().startsWith(lineEndBytes());
    const qint64 indent =
        breakLine(this, pairs_->isOn() && !suggested ? Brackets::kParted : Brackets::kKept);
    setAutoIndent(AutoIndent(caret() - indent, caret()));
    return true;
  }
  const bool plain = (event->modifiers() & Qt::ControlModifier) == 0;
  if (event->key() == Qt::Key_Backspace && plain && pairs_->backspace()) return true;
  const bool deletes = event->key() == Qt::Key_Backspace || event->key() == Qt::Key_Delete;
  if (deletes && plain && deleteClusters(this, event->key() == Qt::Key_Delete)) return true;
  if (event->text() == QLatin1String("{")) outdentOpeningBrace(this);
  if (typePaired(event->text())) return true;
  if (!hasOneCaret()) return false;
  if (event->key() == Qt::Key_Backspace && plain && !hasSelection() && unindentBeforeCaret(this))
    return true;
  const QString text = event->text();
  if (text.size() == 1 && QStringView(u":?.&|").contains(text.front())) {
    TextView::keyPressEvent(event);
    if (text == u":") alignClause(this);
    alignContinuation(this);
    return true;
  }
  if (text.size() == 1 && QStringView(u"})]").contains(text.front())) {
    TextView::keyPressEvent(event);
    outdentClosingBracket(this);
    return true;
  }
  const bool isOfWord =
      text.size() == 1 && (text.front().isLetterOrNumber() || text == u">" || text == u"_");
  if (!isOfWord) return false;
  TextView::keyPressEvent(event);
  alignBlockEnd(this);
  return true;
}

// True: it is a bracket or quote, and all that it means is done.
bool CodeEditor::typePaired(const QString& text) {
  if (text.size() != 1 || text.front().unicode() >= 0x80 || sci(SCI_GETREADONLY) != 0) return false;
  const char letter = text.front().toLatin1();
  std::optional<QByteArray> suggested;
  if (ghost_->isShown() && ghost_->remaining().startsWith(letter)) suggested = ghost_->typed();
  return pairs_->type(letter, suggested);
}

void CodeEditor::inputMethodEvent(QInputMethodEvent* event) {
  sinceKey_.start();
  flushEdits();
  if (modal_ && !modal_->isTyping()) {
    if (!event->commitString().isEmpty()) modal_->pressText(event->commitString());
    return event->accept();
  }
  const qint64 before = version();
  const qint64 from = caret();
  // Dead keys make quotes, too.
  bool paired = event->commitString().size() == 1 && event->preeditString().isEmpty() &&
                event->replacementLength() == 0;
  if (paired) {
    QInputMethodEvent composed;  // what was shown while it was composed goes first
    TextView::inputMethodEvent(&composed);
    paired = typePaired(event->commitString());
  }
  if (!paired) TextView::inputMethodEvent(event);
  const bool wrote = (version() != before || caret() != from) && !event->commitString().isEmpty();
  flushEdits();
  if (wrote) Q_EMIT typed();
}

QVariant CodeEditor::inputMethodQuery(Qt::InputMethodQuery query) const {
  // QScintilla answers with the paragraph, which can be the whole file; and a line can be long.
  if (query == Qt::ImSurroundingText || query == Qt::ImCursorPosition) {
    const int line = caretLine();
    // Returns the nearest boundary between characters.
    const auto near = [this](qint64 at) { return sci(SCI_POSITIONAFTER, word(at - 1)); };
    const qint64 start =
        caret() - lineStart(line) > kSurrounding ? near(caret() - kSurrounding) : lineStart(line);
    const qint64 end =
        lineEnd(line) - caret() > kSurrounding ? near(caret() + kSurrounding) : lineEnd(line);
    if (query == Qt::ImSurroundingText) return QString::fromUtf8(textRange(start, end));
    return static_cast<int>(QString::fromUtf8(textRange(start, caret())).size());
  }
  return TextView::inputMethodQuery(query);
}

QMimeData* CodeEditor::toMimeData(const QByteArray& text, bool rectangular) const {
  QMimeData* data = TextView::toMimeData(text, rectangular);
  addBytes(data, text);
  return data;
}

QByteArray CodeEditor::fromMimeData(const QMimeData* source, bool& rectangular) const {
  const QByteArray text = TextView::fromMimeData(source, rectangular);
  return source != nullptr && hasBytes(*source) ? clippedText(*source) : text;
}

// Scintilla has right-to-left text elsewhere than it is seen.
QMouseEvent CodeEditor::inLayout(const QMouseEvent& event) const {
  const QPointF at = RtlText(*this).inLayout(event.position().toPoint());
  return {event.type(),          at,
          event.scenePosition(), event.globalPosition(),
          event.button(),        event.buttons(),
          event.modifiers(),     event.pointingDevice()};
}

void CodeEditor::mousePressEvent(QMouseEvent* event) {
  QMouseEvent turned = inLayout(*event);
  TextView::mousePressEvent(&turned);
  leaveClusters(this, false);
  event->setAccepted(turned.isAccepted());
  flushEdits();
}

void CodeEditor::contextMenuEvent(QContextMenuEvent* event) {
  flushEdits();
  QPoint at = event->pos();
  if (event->reason() == QContextMenuEvent::Mouse) {
    const QPoint inText = RtlText(*this).inLayout(at);
    const long offset = sci(SCI_POSITIONFROMPOINT, word(inText.x()), inText.y());
    bool isSelected = false;
    for (long i = 0; i < sci(SCI_GETSELECTIONS); ++i)
      isSelected = isSelected || (sci(SCI_GETSELECTIONNSTART, word(i)) <= offset &&
                                  offset < sci(SCI_GETSELECTIONNEND, word(i)));
    if (!isSelected) sci(SCI_SETEMPTYSELECTION, word(offset));
  } else {
    sci(SCI_SCROLLCARET);
    at = {static_cast<int>(sci(SCI_POINTXFROMPOSITION, 0, static_cast<long>(caret()))),
          static_cast<int>(sci(SCI_POINTYFROMPOSITION, 0, static_cast<long>(caret())) +
                           sci(SCI_TEXTHEIGHT, word(caretLine())))};
  }
  flushEdits();
  event->accept();
  Q_EMIT menuWanted(viewport()->mapToGlobal(at));
}

void CodeEditor::mouseDoubleClickEvent(QMouseEvent* event) {
  QMouseEvent turned = inLayout(*event);
  TextView::mouseDoubleClickEvent(&turned);
  event->setAccepted(turned.isAccepted());
  flushEdits();
}

void CodeEditor::mouseMoveEvent(QMouseEvent* event) {
  QMouseEvent turned = inLayout(*event);
  TextView::mouseMoveEvent(&turned);
  if ((event->buttons() & Qt::LeftButton) != 0) leaveClusters(this, false);
  event->setAccepted(turned.isAccepted());
}

void CodeEditor::mouseReleaseEvent(QMouseEvent* event) {
  QMouseEvent turned = inLayout(*event);
  TextView::mouseReleaseEvent(&turned);
  leaveClusters(this, false);
  event->setAccepted(turned.isAccepted());
  flushEdits();
}

// -- Actions

void CodeEditor::undo() {
  if (modal_) modal_->breakStep();
  TextView::undo();
}

void CodeEditor::redo() {
  if (modal_) modal_->breakStep();
  TextView::redo();
}

void CodeEditor::cut() {
  if (copySelections(*this)) {
    sci(SCI_CLEAR);
  } else if (!cutLines(this)) {
    sci(SCI_CUT);
  }
  flushEdits();
}

void CodeEditor::copy() {
  if (!copyLines(*this) && !copySelections(*this)) sci(SCI_COPY);
}

void CodeEditor::paste() {
  if (!pasteLines(this) && !pasteOneEach(this)) sci(SCI_PASTE);
  flushEdits();
}

void CodeEditor::selectAll() {
  sci(SCI_SELECTALL);
  flushEdits();
}

bool CodeEditor::applies(const EditorAction& action) const {
  switch (action.needs) {
    case ActionNeeds::kNothing:
      return true;
    case ActionNeeds::kWritable:
      return sci(SCI_GETREADONLY) == 0;
    case ActionNeeds::kSuggestion:
      return ghost_->isShown();
    case ActionNeeds::kSuggestionOnTop:
      return ghost_->isShown() && !list_->isOnTop();
    case ActionNeeds::kSnippet:
      return snippets_->isActive() && !ghost_->isShown() && !list_->isOpen();
    case ActionNeeds::kNextEdit:
      return nextEditHint_->isOffered() && !ghost_->isShown() && !list_->isOpen() &&
             !snippets_->isActive() && hasOneCaret() && !hasSelection();
    case ActionNeeds::kList:
      return list_->isOpen();
    case ActionNeeds::kListOnTop:
      return list_->isOnTop() || (list_->isOpen() && !ghost_->isShown());
  }
  return true;
}

bool CodeEditor::perform(const EditorAction& action) {
  if (!applies(action)) return false;
  const bool done = action.run(*this);
  leaveClusters(this, false);
  flushEdits();
  return done;
}

bool CodeEditor::perform(const char* id) {
  const EditorAction* action = findEditorAction(QLatin1String(id));
  return action && perform(*action);
}

// Esc, from the nearest layer to the farthest: docs/keys.md.
bool CodeEditor::closeOneLayer() {
  if (list_->isOpen()) {
    list_->dismiss();
  } else if (sci(SCI_CALLTIPACTIVE) != 0) {
    sci(SCI_CALLTIPCANCEL);
  } else if (ghost_->isShown()) {
    ghost_->dismiss();
  } else if (snippets_->isActive()) {
    snippets_->leave();
  } else if (nextEditHint_->isOffered()) {
    Q_EMIT nextEditDismissed();
  } else if (!hasOneCaret()) {
    // Only the main caret is left, with what it has selected.
    sci(SCI_SETSELECTION, word(caret()), sci(SCI_GETANCHOR));
  } else if (hasSelection()) {
    sci(SCI_SETEMPTYSELECTION, word(caret()));
  } else {
    return false;
  }
  return true;
}

}  // namespace waferpair::editor
