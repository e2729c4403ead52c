// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of the editor's actions: as shipped, or as the user set them. docs/keys.md is the
// written table of what Tab and Esc do by priority.
#pragma once

#include <QKeyEvent>
#include <QKeySequence>
#include <QList>

#include "editor/widget/editor_actions.h"

namespace waferpair::editor {

class KeyTable {
 public:
  KeyTable();  // the keys as shipped

  // The first of the action's keys; empty: it has none. The id must be one of editorActions().
  QKeySequence key(const char* id) const;
  const QList<QKeySequence>& keys(const EditorAction& action) const;
  // Only the first chord of each sequence counts.
  void setKeys(const EditorAction& action, const QList<QKeySequence>& keys);
  void setKey(const char* id, const QKeySequence& key);

  // All actions bound to the pressed key, in table order; which one applies is the editor's matter.
  QVector<const EditorAction*> actionsFor(const QKeyEvent& event) const;

  bool operator==(const KeyTable&) const = default;

 private:
  QVector<QList<QKeySequence>> keys_;  // in the order of editorActions()
};

}  // namespace waferpair::editor
