// SPDX-License-Identifier: GPL-3.0-or-later
// The editor's own keys: names, defaults, words for a settings page. docs/keys.md is the written
// table of what Tab and Esc do by priority.
#pragma once

#include <QKeyEvent>
#include <QKeySequence>
#include <QString>
#include <QVector>
#include <optional>

namespace waferpair::editor {

enum class EditorAction {
  kAcceptSuggestion,
  kAcceptWord,
  kAcceptLine,
  kDismiss,
  kSuggest,
  kReadSuggestion,
  kToggleComment,
  kDuplicateLine,
  kDeleteLine,
  kMoveLineUp,
  kMoveLineDown,
  kIndent,
  kUnindent,
  kSelectNextOccurrence,
  kZoomIn,
  kZoomOut,
  kZoomReset,
  kToggleWordWrap,
  kToggleWhitespace,
};

struct KeyBinding {
  EditorAction action;
  const char* id;           // for settings files, e.g. "accept-word"
  const char* description;  // one line of English
  const char* defaultKey;   // portable text; empty: unbound
};

class KeyTable {
 public:
  KeyTable();  // the defaults

  // Every action once, in the order a settings page shows them.
  static const QVector<KeyBinding>& bindings();
  static std::optional<EditorAction> actionForId(const QString& id);

  QKeySequence key(EditorAction action) const { return keys_[static_cast<int>(action)]; }
  // Only the first chord of a sequence counts. An empty one unbinds.
  void setKey(EditorAction action, const QKeySequence& key);
  // Another action that has this key, if any: for a settings page that warns.
  std::optional<EditorAction> conflict(EditorAction action, const QKeySequence& key) const;

  // All actions bound to the pressed key, in table order; which one applies is the editor's matter.
  QVector<EditorAction> actionsFor(const QKeyEvent& event) const;

 private:
  QVector<QKeySequence> keys_;
};

}  // namespace waferpair::editor
