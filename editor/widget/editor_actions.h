// SPDX-License-Identifier: GPL-3.0-or-later
// The editor's actions: one row for each, with its key, when it applies and what it runs. A row is
// all that it takes: the key table, and in a window the menus, the palette and docs/keys.md, follow
// from it.
#pragma once

#include <QString>
#include <QVector>

namespace waferpair::editor {

class CodeEditor;

enum class ActionGroup { kSuggestion, kList, kLines, kCarets, kFolds, kBookmarks, kView };

// The condition under which an action applies; at other times its key means what it means without
// it.
enum class ActionNeeds {
  kNothing,
  kWritable,         // the text may be changed
  kSuggestion,       // a ghost is shown
  kSnippet,          // one is being filled in, and no ghost or list is nearer
  kNextEdit,         // one is offered, no ghost, list or snippet is nearer, and nothing is selected
  kSuggestionOnTop,  // the same, and the user has not turned to the list
  kList,             // the list is open
  kListOnTop,        // it is, and the user has turned to it, or no ghost is shown
};

struct EditorAction {
  const char* id;    // names it in settings files and for perform(): "accept-word"
  const char* text;  // one line of English
  const char* key;   // as shipped, in portable text; empty: unbound
  ActionGroup group;
  ActionNeeds needs;
  // False when it came to nothing.
  bool (*run)(CodeEditor& editor);
};

// Every action once, in the order in which a settings page shows them.
const QVector<EditorAction>& editorActions();
// Null for an unknown id.
const EditorAction* findEditorAction(QLatin1String id);

}  // namespace waferpair::editor
