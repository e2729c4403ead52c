// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/editor_actions.h"

#include <algorithm>

#include "editor/ghost/ghost_text.h"
#include "editor/keys/caret_commands.h"
#include "editor/keys/editing_commands.h"
#include "editor/keys/line_commands.h"
#include "editor/layers/bookmarks.h"
#include "editor/view/folding.h"
#include "editor/widget/code_editor.h"
#include "editor/widget/ghost_reader.h"
#include "editor/widget/list_popup.h"
#include "editor/widget/snippet_mode.h"

namespace waferpair::editor {

namespace {

using enum ActionNeeds;
using Group = ActionGroup;

// Runs one of Scintilla's own commands.
template <unsigned kMessage>
bool scintilla(CodeEditor& editor) {
  editor.sci(kMessage);
  return true;
}

template <int kLevel>
bool foldLevel(CodeEditor& editor) {
  return editor.folding()->foldLevel(kLevel);
}

// An entry that is taken counts as typed.
bool takeEntry(CodeEditor& editor) {
  if (!editor.list()->take()) return false;
  Q_EMIT editor.typed();
  return true;
}

const QVector<EditorAction> kActions = {
    {"accept-suggestion", "Accept the whole suggestion", "Tab", Group::kSuggestion,
     kSuggestionOnTop, [](CodeEditor& editor) { return editor.ghost()->acceptAll(); }},
    {"take-entry", "Take the list's entry", "Return", Group::kList, kList, takeEntry},
    {"take-entry-on-top", "Take the list's entry, unless a suggestion is nearer", "Tab",
     Group::kList, kListOnTop, takeEntry},
    {"next-entry", "Go down in the list", "Down", Group::kList, kList,
     [](CodeEditor& editor) {
       editor.list()->move(1);
       return true;
     }},
    {"previous-entry", "Go up in the list", "Up", Group::kList, kList,
     [](CodeEditor& editor) {
       editor.list()->move(-1);
       return true;
     }},
    {"accept-word", "Accept the suggestion's next word", "Ctrl+Right", Group::kSuggestion,
     kSuggestionOnTop, [](CodeEditor& editor) { return editor.ghost()->acceptWord(); }},
    {"accept-line", "Accept the suggestion's next line", "Ctrl+Down", Group::kSuggestion,
     kSuggestionOnTop, [](CodeEditor& editor) { return editor.ghost()->acceptLine(); }},
    {"next-field", "Go to the snippet's next field", "Tab", Group::kList, kSnippet,
     [](CodeEditor& editor) { return editor.snippets()->step(1); }},
    {"previous-field", "Go to the snippet's previous field", "Shift+Tab", Group::kList, kSnippet,
     [](CodeEditor& editor) { return editor.snippets()->step(-1); }},
    {"next-edit", "Go to the next edit that is offered; once there, make it", "Tab",
     Group::kSuggestion, kNextEdit,
     [](CodeEditor& editor) {
       Q_EMIT editor.nextEditWanted();
       return true;
     }},
    {"dismiss", "Dismiss one layer: list, suggestion, snippet, next edit, carets, selection", "Esc",
     Group::kList, kNothing,
     [](CodeEditor& editor) {
       if (!editor.closeOneLayer()) Q_EMIT editor.escapePressed();
       return true;
     }},
    {"suggest", "Ask for a suggestion here", "Alt+\\", Group::kSuggestion, kNothing,
     [](CodeEditor& editor) {
       Q_EMIT editor.suggestionWanted();
       return true;
     }},
    {"next-suggestion", "Show the next suggestion for this place", "Alt+]", Group::kSuggestion,
     kSuggestion,
     [](CodeEditor& editor) {
       Q_EMIT editor.alternativeWanted(1);
       return true;
     }},
    {"previous-suggestion", "Show the suggestion before it", "Alt+[", Group::kSuggestion,
     kSuggestion,
     [](CodeEditor& editor) {
       Q_EMIT editor.alternativeWanted(-1);
       return true;
     }},
    {"complete", "List what could stand here", "Ctrl+Space", Group::kLines, kWritable,
     [](CodeEditor& editor) {
       Q_EMIT editor.listWanted();
       return true;
     }},
    {"read-suggestion", "Read the suggestion in a text of its own", "Ctrl+Alt+R",
     Group::kSuggestion, kSuggestion,
     [](CodeEditor& editor) {
       new GhostReader(&editor);
       return true;
     }},
    {"toggle-comment", "Comment or uncomment lines", "Ctrl+/", Group::kLines, kWritable,
     [](CodeEditor& editor) { return toggleComment(&editor); }},
    {"duplicate-line", "Duplicate line or selection", "Ctrl+Shift+D", Group::kLines, kWritable,
     [](CodeEditor& editor) { return duplicate(&editor); }},
    {"delete-line", "Delete line", "Ctrl+Shift+K", Group::kLines, kWritable,
     [](CodeEditor& editor) { return deleteLines(&editor); }},
    {"move-line-up", "Move lines up", "Alt+Up", Group::kLines, kWritable,
     [](CodeEditor& editor) { return moveLinesUp(&editor, editor.bookmarks()); }},
    {"move-line-down", "Move lines down", "Alt+Down", Group::kLines, kWritable,
     [](CodeEditor& editor) { return moveLinesDown(&editor, editor.bookmarks()); }},
    {"indent", "Indent lines", "Ctrl+]", Group::kLines, kWritable,
     [](CodeEditor& editor) {
       indentLines(&editor, 1);
       return true;
     }},
    {"unindent", "Unindent lines", "Ctrl+[", Group::kLines, kWritable,
     [](CodeEditor& editor) {
       indentLines(&editor, -1);
       return true;
     }},
    {"copy-line-up", "Put a copy of the lines below, and stay", "Alt+Shift+Up", Group::kLines,
     kWritable, [](CodeEditor& editor) { return copyLinesUp(&editor); }},
    {"copy-line-down", "Put a copy of the lines below, and go there", "Alt+Shift+Down",
     Group::kLines, kWritable, [](CodeEditor& editor) { return copyLinesDown(&editor); }},
    {"join-lines", "Join lines", "Ctrl+J", Group::kLines, kWritable,
     [](CodeEditor& editor) { return joinLines(&editor); }},
    {"sort-lines", "Sort the selected lines", "", Group::kLines, kWritable,
     [](CodeEditor& editor) { return sortLines(&editor, false); }},
    {"sort-lines-descending", "Sort the selected lines, last first", "", Group::kLines, kWritable,
     [](CodeEditor& editor) { return sortLines(&editor, true); }},
    {"trim-line-ends", "Take blanks at the ends of lines away", "", Group::kLines, kWritable,
     [](CodeEditor& editor) { return trimLineEnds(&editor); }},
    {"upper-case", "Upper case", "Ctrl+U", Group::kLines, kWritable,
     [](CodeEditor& editor) { return changeCase(&editor, LetterCase::kUpper); }},
    {"lower-case", "Lower case", "Ctrl+Shift+U", Group::kLines, kWritable,
     [](CodeEditor& editor) { return changeCase(&editor, LetterCase::kLower); }},
    {"title-case", "Title case", "Ctrl+Alt+U", Group::kLines, kWritable,
     [](CodeEditor& editor) { return changeCase(&editor, LetterCase::kTitle); }},
    {"transpose", "Exchange the characters beside the caret", "", Group::kLines, kWritable,
     [](CodeEditor& editor) { return transposeCharacters(&editor); }},
    {"select-next-occurrence", "Add a caret at the next occurrence of the selection", "Ctrl+D",
     Group::kCarets, kNothing,
     [](CodeEditor& editor) {
       selectNextOccurrence(&editor);
       return true;
     }},
    {"select-all-occurrences", "Put carets at all occurrences of the selection", "Ctrl+F2",
     Group::kCarets, kNothing, [](CodeEditor& editor) { return selectAllOccurrences(&editor); }},
    {"caret-above", "Add a caret in the line above", "Ctrl+Alt+Up", Group::kCarets, kNothing,
     [](CodeEditor& editor) { return addCaretBeside(&editor, -1); }},
    {"caret-below", "Add a caret in the line below", "Ctrl+Alt+Down", Group::kCarets, kNothing,
     [](CodeEditor& editor) { return addCaretBeside(&editor, 1); }},
    {"carets-at-line-ends", "Put carets at the ends of the selected lines", "Alt+Shift+I",
     Group::kCarets, kNothing, [](CodeEditor& editor) { return caretsAtLineEnds(&editor); }},
    {"column-up", "Select a column, upwards", "Ctrl+Alt+Shift+Up", Group::kCarets, kNothing,
     scintilla<CodeEditor::SCI_LINEUPRECTEXTEND>},
    {"column-down", "Select a column, downwards", "Ctrl+Alt+Shift+Down", Group::kCarets, kNothing,
     scintilla<CodeEditor::SCI_LINEDOWNRECTEXTEND>},
    {"column-left", "Select a column, to the left", "Ctrl+Alt+Shift+Left", Group::kCarets, kNothing,
     scintilla<CodeEditor::SCI_CHARLEFTRECTEXTEND>},
    {"column-right", "Select a column, to the right", "Ctrl+Alt+Shift+Right", Group::kCarets,
     kNothing, scintilla<CodeEditor::SCI_CHARRIGHTRECTEXTEND>},
    {"expand-selection", "Select more: word, string, brackets, lines, block, text",
     "Alt+Shift+Right", Group::kCarets, kNothing,
     [](CodeEditor& editor) { return editor.selectionSteps()->expand(&editor); }},
    {"shrink-selection", "Select as before selecting more", "Alt+Shift+Left", Group::kCarets,
     kNothing, [](CodeEditor& editor) { return editor.selectionSteps()->shrink(&editor); }},
    {"go-to-bracket", "Go to the other bracket, or to the one that opens this", "Ctrl+6",
     Group::kCarets, kNothing, [](CodeEditor& editor) { return goToBracket(&editor, false); }},
    {"select-to-bracket", "Select to the other bracket", "Ctrl+Alt+6", Group::kCarets, kNothing,
     [](CodeEditor& editor) { return goToBracket(&editor, true); }},
    {"fold", "Fold the block at the caret", "Ctrl+{", Group::kFolds, kNothing,
     [](CodeEditor& editor) { return editor.folding()->fold(); }},
    {"unfold", "Unfold the block at the caret", "Ctrl+}", Group::kFolds, kNothing,
     [](CodeEditor& editor) { return editor.folding()->unfold(); }},
    {"fold-all", "Fold all blocks", "Ctrl+Alt+[", Group::kFolds, kNothing,
     [](CodeEditor& editor) { return editor.folding()->foldAll(); }},
    {"unfold-all", "Unfold all blocks", "Ctrl+Alt+]", Group::kFolds, kNothing,
     [](CodeEditor& editor) { return editor.folding()->unfoldAll(); }},
    {"fold-level-1", "Fold blocks that are in no other", "Alt+1", Group::kFolds, kNothing,
     foldLevel<1>},
    {"fold-level-2", "Fold blocks of the second level", "Alt+2", Group::kFolds, kNothing,
     foldLevel<2>},
    {"fold-level-3", "Fold blocks of the third level", "Alt+3", Group::kFolds, kNothing,
     foldLevel<3>},
    {"fold-level-4", "Fold blocks of the fourth level", "Alt+4", Group::kFolds, kNothing,
     foldLevel<4>},
    {"toggle-bookmark", "Set a bookmark in this line, or take it away", "Ctrl+Alt+K",
     Group::kBookmarks, kNothing, [](CodeEditor& editor) { return editor.bookmarks()->toggle(); }},
    {"next-bookmark", "Go to the next bookmark of this file", "Alt+PgDown", Group::kBookmarks,
     kNothing, [](CodeEditor& editor) { return editor.bookmarks()->go(1); }},
    {"previous-bookmark", "Go to the bookmark before", "Alt+PgUp", Group::kBookmarks, kNothing,
     [](CodeEditor& editor) { return editor.bookmarks()->go(-1); }},
    {"clear-bookmarks", "Take all bookmarks of this file away", "", Group::kBookmarks, kNothing,
     [](CodeEditor& editor) { return editor.bookmarks()->clear(); }},
    {"toggle-word-wrap", "Wrap long lines or not", "Alt+Z", Group::kView, kNothing,
     [](CodeEditor& editor) {
       editor.setWordWrap(!editor.wordWrap());
       return true;
     }},
    {"toggle-whitespace", "Show blanks or not", "", Group::kView, kNothing,
     [](CodeEditor& editor) {
       editor.setWhitespaceVisible(!editor.whitespaceVisible());
       return true;
     }},
    {"zoom-in", "Larger text", "Ctrl++", Group::kView, kNothing, scintilla<CodeEditor::SCI_ZOOMIN>},
    {"zoom-out", "Smaller text", "Ctrl+-", Group::kView, kNothing,
     scintilla<CodeEditor::SCI_ZOOMOUT>},
    {"zoom-reset", "Usual text size", "Ctrl+0", Group::kView, kNothing,
     scintilla<CodeEditor::SCI_SETZOOM>},
};

}  // namespace

const QVector<EditorAction>& editorActions() { return kActions; }

const EditorAction* findEditorAction(QLatin1String id) {
  const auto found = std::find_if(kActions.begin(), kActions.end(), [id](const EditorAction& row) {
    return id == QLatin1String(row.id);
  });
  return found == kActions.end() ? nullptr : &*found;
}

}  // namespace waferpair::editor
