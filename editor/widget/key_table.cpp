// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/key_table.h"

namespace waferpair::editor {

namespace {

// In the order of EditorAction: the constructor checks it.
const QVector<KeyBinding> kBindings = {
    {EditorAction::kAcceptSuggestion, "accept-suggestion", "Accept the whole suggestion", "Tab"},
    {EditorAction::kAcceptWord, "accept-word", "Accept the suggestion's next word", "Ctrl+Right"},
    {EditorAction::kAcceptLine, "accept-line", "Accept the suggestion's next line", "Ctrl+Down"},
    {EditorAction::kDismiss, "dismiss", "Dismiss one layer: list, suggestion, carets, selection",
     "Esc"},
    {EditorAction::kSuggest, "suggest", "Ask for a suggestion here", "Alt+\\"},
    {EditorAction::kReadSuggestion, "read-suggestion", "Read the suggestion in a text of its own",
     "Ctrl+Alt+R"},
    {EditorAction::kToggleComment, "toggle-comment", "Comment or uncomment lines", "Ctrl+/"},
    {EditorAction::kDuplicateLine, "duplicate-line", "Duplicate line or selection", "Ctrl+Shift+D"},
    {EditorAction::kDeleteLine, "delete-line", "Delete line", "Ctrl+Shift+K"},
    {EditorAction::kMoveLineUp, "move-line-up", "Move lines up", "Alt+Up"},
    {EditorAction::kMoveLineDown, "move-line-down", "Move lines down", "Alt+Down"},
    {EditorAction::kIndent, "indent", "Indent lines", "Ctrl+]"},
    {EditorAction::kUnindent, "unindent", "Unindent lines", "Ctrl+["},
    {EditorAction::kSelectNextOccurrence, "select-next-occurrence",
     "Add a caret at the next occurrence of the selection", "Ctrl+D"},
    {EditorAction::kZoomIn, "zoom-in", "Larger text", "Ctrl++"},
    {EditorAction::kZoomOut, "zoom-out", "Smaller text", "Ctrl+-"},
    {EditorAction::kZoomReset, "zoom-reset", "Usual text size", "Ctrl+0"},
    {EditorAction::kToggleWordWrap, "toggle-word-wrap", "Wrap long lines or not", "Alt+Z"},
    {EditorAction::kToggleWhitespace, "toggle-whitespace", "Show blanks or not", ""},
};

// Shift makes some characters ("+", "{"), and the keypad has its own flag: neither may stand
// between a pressed key and its binding.
int normalized(int key, Qt::KeyboardModifiers modifiers) {
  modifiers &= ~Qt::KeypadModifier;
  if (key == Qt::Key_Backtab) {
    key = Qt::Key_Tab;
    modifiers |= Qt::ShiftModifier;
  }
  const bool printable = key > Qt::Key_Space && key < Qt::Key_Escape;
  const bool letter =
      (key >= Qt::Key_A && key <= Qt::Key_Z) || (key >= Qt::Key_0 && key <= Qt::Key_9);
  if (printable && !letter) modifiers &= ~Qt::ShiftModifier;
  return key | static_cast<int>(modifiers);
}

int normalized(const QKeySequence& sequence) {
  if (sequence.isEmpty()) return 0;
  const QKeyCombination chord = sequence[0];
  return normalized(chord.key(), chord.keyboardModifiers());
}

}  // namespace

KeyTable::KeyTable() {
  for (const KeyBinding& binding : kBindings) {
    Q_ASSERT(static_cast<qsizetype>(binding.action) == keys_.size());
    keys_.append(
        QKeySequence::fromString(QLatin1String(binding.defaultKey), QKeySequence::PortableText));
  }
}

const QVector<KeyBinding>& KeyTable::bindings() { return kBindings; }

std::optional<EditorAction> KeyTable::actionForId(const QString& id) {
  for (const KeyBinding& binding : kBindings)
    if (id == QLatin1String(binding.id)) return binding.action;
  return std::nullopt;
}

void KeyTable::setKey(EditorAction action, const QKeySequence& key) {
  keys_[static_cast<int>(action)] = key.isEmpty() ? key : QKeySequence(key[0]);
}

std::optional<EditorAction> KeyTable::conflict(EditorAction action, const QKeySequence& key) const {
  const int wanted = normalized(key);
  if (wanted == 0) return std::nullopt;
  for (const KeyBinding& binding : kBindings) {
    if (binding.action != action && normalized(this->key(binding.action)) == wanted)
      return binding.action;
  }
  return std::nullopt;
}

QVector<EditorAction> KeyTable::actionsFor(const QKeyEvent& event) const {
  const int pressed = normalized(event.key(), event.modifiers());
  QVector<EditorAction> actions;
  for (const KeyBinding& binding : kBindings) {
    if (normalized(key(binding.action)) == pressed) actions.append(binding.action);
  }
  return actions;
}

}  // namespace waferpair::editor
