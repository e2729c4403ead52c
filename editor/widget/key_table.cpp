// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/key_table.h"

#include <algorithm>

namespace waferpair::editor {

namespace {

// Shift makes some characters ("+", "{"), and the keypad has its own flag: neither may stand
// between a pressed key and its binding.
int normalized(int key, Qt::KeyboardModifiers modifiers) {
  modifiers &= ~Qt::KeypadModifier;
  if (key == Qt::Key_Backtab) {
    key = Qt::Key_Tab;
    modifiers |= Qt::ShiftModifier;
  }
  if (key == Qt::Key_Enter) key = Qt::Key_Return;
  const bool printable = key > Qt::Key_Space && key < Qt::Key_Escape;
  const bool letter =
      (key >= Qt::Key_A && key <= Qt::Key_Z) || (key >= Qt::Key_0 && key <= Qt::Key_9);
  if (printable && !letter) modifiers &= ~Qt::ShiftModifier;
  return key | static_cast<int>(modifiers);
}

int normalized(const QKeySequence& sequence) {
  const QKeyCombination chord = sequence[0];
  return normalized(chord.key(), chord.keyboardModifiers());
}

qsizetype rowOf(const EditorAction& action) { return &action - editorActions().constData(); }

const EditorAction& actionOf(const char* id) {
  const EditorAction* action = findEditorAction(QLatin1String(id));
  Q_ASSERT(action);
  return *action;
}

}  // namespace

KeyTable::KeyTable() : keys_(editorActions().size()) {
  for (const EditorAction& action : editorActions()) {
    const QLatin1String key(action.key);
    setKeys(action, {QKeySequence::fromString(key, QKeySequence::PortableText)});
  }
}

QKeySequence KeyTable::key(const char* id) const { return keys(actionOf(id)).value(0); }

const QList<QKeySequence>& KeyTable::keys(const EditorAction& action) const {
  return keys_[rowOf(action)];
}

void KeyTable::setKeys(const EditorAction& action, const QList<QKeySequence>& keys) {
  QList<QKeySequence>& mine = keys_[rowOf(action)];
  mine.clear();
  for (const QKeySequence& key : keys) {
    if (!key.isEmpty()) mine.append(QKeySequence(key[0]));
  }
}

void KeyTable::setKey(const char* id, const QKeySequence& key) { setKeys(actionOf(id), {key}); }

QVector<const EditorAction*> KeyTable::actionsFor(const QKeyEvent& event) const {
  const int pressed = normalized(event.key(), event.modifiers());
  QVector<const EditorAction*> actions;
  for (const EditorAction& action : editorActions()) {
    const QList<QKeySequence>& mine = keys(action);
    if (std::any_of(mine.begin(), mine.end(),
                    [pressed](const QKeySequence& key) { return normalized(key) == pressed; })) {
      actions.append(&action);
    }
  }
  return actions;
}

}  // namespace waferpair::editor
