// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/document_commands.h"

#include <QFileInfo>

#include "editor/text/path_bytes.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/file_bookmarks.h"
#include "gui/documents/find_bar.h"
#include "gui/documents/places.h"
#include "gui/documents/save_flow.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/input_prompt.h"
#include "gui/kit/picker.h"
#include "gui/kit/preference_toggle.h"
#include "gui/store/file_position.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

void goToLine(EditorTabs* tabs, InputPrompt* prompt) {
  const int lines = tabs->current()->editor()->lineCount();
  prompt->open(
      tr("Go to line, 1 to %1 (or LINE:COLUMN)").arg(lines), {}, 0,
      [](const QString& text) {
        return parseLineColumn(text) ? QString() : tr("Type a line number, or LINE:COLUMN.");
      },
      [tabs](const QString& text) {
        const auto place = parseLineColumn(text);
        if (Document* now = tabs->current(); now && place) {
          now->editor()->goToLine(place->line - 1, place->column - 1);
          now->setFocus();
        }
      });
}

// All bookmarks: "name:12  the line's text".
void chooseBookmark(EditorTabs* tabs, Picker* picker) {
  QList<PickerItem> items;
  const QMap<QString, QList<int>> all = tabs->bookmarks()->all();
  for (auto file = all.begin(); file != all.end(); ++file) {
    const Document* open = tabs->documentAt(file.key());
    const QFileInfo info(file.key());
    for (const int line : file.value()) {
      const QString text =
          open ? QString::fromUtf8(open->editor()->lineText(line)).trimmed() : QString();
      PickerItem item;
      item.text = tr("%1:%2").arg(editor::shownPath(info.fileName())).arg(line + 1) +
                  QStringLiteral("  ") + text;
      item.hint = editor::shownPath(info.path());
      item.data = QVariantList{file.key(), line};
      items.append(item);
    }
  }
  picker->open(tr("Bookmarks"), tr("Type a part of a file's name or of the line"), items,
               [tabs](const QVariant& data) {
                 const QVariantList place = data.toList();
                 tabs->open(place[0].toString(),
                            {.then = [line = place[1].toInt()](Document* document) {
                              if (document) document->editor()->goToLine(line);
                            }});
               });
  if (items.isEmpty()) picker->setNote(tr("There are no bookmarks."));
}

}  // namespace

void addFileCommands(CommandRegistry& commands, EditorTabs* tabs, SaveFlow* saveFlow) {
  const QString file = tr("File");
  commands.add({.id = "file.new",
                .category = file,
                .text = tr("&New File"),
                .help = tr("Begin an empty text."),
                .keys = {Qt::CTRL | Qt::Key_N},
                .icon = "new-file",
                .places = {{"file"}, {"start", 1, 3}},
                .run = [tabs] { tabs->newDocument()->setFocus(); }});
  commands.add({.id = "file.save",
                .category = file,
                .text = tr("&Save"),
                .help = tr("Save this file."),
                .keys = {Qt::CTRL | Qt::Key_S},
                .icon = "save",
                .when = Context::kDocumentOpen,
                .places = {{"file", 2}, {"tab", 2}},
                .run = [saveFlow, tabs] { saveFlow->save(tabs->current()); }});
  commands.add({.id = "file.saveAs",
                .category = file,
                .text = tr("Save &As…"),
                .help = tr("Save this text under another name."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_S},
                .icon = "save",
                .when = Context::kDocumentOpen,
                .places = {{"file", 2}},
                .run = [saveFlow, tabs] { saveFlow->saveAs(tabs->current()); }});
  commands.add({.id = "file.saveAll",
                .category = file,
                .text = tr("Save A&ll"),
                .help = tr("Save every text that has changes."),
                .keys = {Qt::CTRL | Qt::ALT | Qt::Key_S},
                .icon = "save",
                .when = Context::kDocumentOpen,
                .places = {{"file", 2}},
                .run = [saveFlow, tabs] { saveFlow->saveAll(tabs->modifiedDocuments()); }});
  commands.add({.id = "file.revert",
                .category = file,
                .text = tr("Re&vert to Saved"),
                .help = tr("Go back to the text on disk, as one step that can be undone."),
                .icon = "refresh",
                .when = Context::kDocumentOpen,
                .places = {{"file", 2}, {"tab", 2}},
                .run = [tabs] { tabs->current()->revert(); }});
  commands.add({.id = "file.close",
                .category = file,
                .text = tr("&Close"),
                .help = tr("Close this tab, and the file with its last one."),
                .keys = {Qt::CTRL | Qt::Key_W},
                .icon = "close",
                .when = Context::kDocumentOpen,
                .places = {{"file", 3}, {"tab"}},
                .run = [tabs] { tabs->closeTab(); }});
  commands.add({.id = "file.closeOthers",
                .category = file,
                .text = tr("Close &Others"),
                .help = tr("Close all files but this one."),
                .icon = "close",
                .when = Context::kDocumentOpen,
                .places = {{"file", 3}, {"tab"}},
                .run = [tabs, saveFlow] {
                  QList<Document*> others = tabs->documents();
                  others.removeOne(tabs->current());
                  saveFlow->close(others);
                }});
  commands.add({.id = "file.closeAll",
                .category = file,
                .text = tr("Close All"),
                .help = tr("Close all files."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_W},
                .icon = "close",
                .when = Context::kDocumentOpen,
                .keysWhen = !Context::kTerminalFocused,
                .places = {{"file", 3}, {"tab"}},
                .run = [saveFlow, tabs] { saveFlow->close(tabs->documents()); }});
  commands.add({.id = "file.reopenClosed",
                .category = file,
                .text = tr("&Reopen Closed File"),
                .help = tr("Open the file that was closed last, where it was."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_T},
                .icon = "recent",
                .places = {{"file", 3}, {"tab"}},
                .run = [tabs] { tabs->reopenClosed(); }});
}

void addEditCommands(CommandRegistry& commands, EditorTabs* tabs, Settings* settings) {
  using editor::CodeEditor;
  const QString edit = tr("Edit");
  const auto onEditor = [tabs](void (CodeEditor::*slot)()) {
    return [tabs, slot] { (tabs->current()->editor()->*slot)(); };
  };
  commands.add({.id = "edit.undo",
                .category = edit,
                .text = tr("&Undo"),
                .help = tr("Undo the last change."),
                .keys = {Qt::CTRL | Qt::Key_Z},
                .icon = "undo",
                .when = Context::kDocumentOpen,
                .places = {{"edit"}, {"editor"}},
                .run = onEditor(&CodeEditor::undo)});
  commands.add({.id = "edit.redo",
                .category = edit,
                .text = tr("&Redo"),
                .help = tr("Do again what was undone."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_Z, Qt::CTRL | Qt::Key_Y},
                .icon = "redo",
                .when = Context::kDocumentOpen,
                .places = {{"edit"}, {"editor"}},
                .run = onEditor(&CodeEditor::redo)});
  commands.add({.id = "edit.cut",
                .category = edit,
                .text = tr("Cu&t"),
                .help = tr("Cut the selection, or the line."),
                .keys = {Qt::CTRL | Qt::Key_X},
                .when = Context::kDocumentOpen,
                .places = {{"edit", 2}, {"editor", 2}},
                .run = onEditor(&CodeEditor::cut)});
  commands.add({.id = "edit.copy",
                .category = edit,
                .text = tr("&Copy"),
                .help = tr("Copy the selection, or the line."),
                .keys = {Qt::CTRL | Qt::Key_C},
                .when = Context::kDocumentOpen,
                .places = {{"edit", 2}, {"editor", 2}},
                .run = onEditor(&CodeEditor::copy)});
  commands.add({.id = "edit.paste",
                .category = edit,
                .text = tr("&Paste"),
                .help = tr("Insert what was copied."),
                .keys = {Qt::CTRL | Qt::Key_V},
                .when = Context::kDocumentOpen,
                .places = {{"edit", 2}, {"editor", 2}},
                .run = onEditor(&CodeEditor::paste)});
  commands.add({.id = "edit.selectAll",
                .category = edit,
                .text = tr("Select &All"),
                .help = tr("Select the whole text."),
                .keys = {Qt::CTRL | Qt::Key_A},
                .when = Context::kDocumentOpen,
                .places = {{"edit", 2}, {"editor", 2}},
                .run = onEditor(&CodeEditor::selectAll)});
  commands.add({.id = "edit.find",
                .category = edit,
                .text = tr("&Find"),
                .help = tr("Find in this file."),
                .keys = {Qt::CTRL | Qt::Key_F},
                .icon = "search",
                .when = Context::kDocumentOpen,
                .places = {{"edit", 3}, {"tools", 1, 3}},
                .run = [tabs] { tabs->findBar()->openFind(); }});
  commands.add({.id = "edit.replace",
                .category = edit,
                .text = tr("R&eplace"),
                .help = tr("Find and replace in this file."),
                .keys = {Qt::CTRL | Qt::Key_H},
                .icon = "replace",
                .when = Context::kDocumentOpen,
                .places = {{"edit", 3}},
                .run = [tabs] { tabs->findBar()->openReplace(); }});
  commands.add({.id = "edit.findNext",
                .category = edit,
                .text = tr("Find &Next"),
                .help = tr("Go to the next match."),
                .keys = {Qt::Key_F3},
                .icon = "chevron-down",
                .when = Context::kDocumentOpen,
                .places = {{"edit", 3}},
                .run = [tabs] { tabs->findBar()->findNext(); }});
  commands.add({.id = "edit.findPrevious",
                .category = edit,
                .text = tr("Find Pre&vious"),
                .help = tr("Go to the match before."),
                .keys = {Qt::SHIFT | Qt::Key_F3},
                .icon = "chevron-up",
                .when = Context::kDocumentOpen,
                .places = {{"edit", 3}},
                .run = [tabs] { tabs->findBar()->findPrevious(); }});
  addPreferenceToggle(commands, settings,
                      {.id = "edit.wordsWhileTyping",
                       .category = edit,
                       .text = tr("List &Words While Typing"),
                       .help = tr("Open the list of words of the open files while one is typed."),
                       .places = {{"edit", 5}}},
                      &Preferences::wordsWhileTyping);
  addPreferenceToggle(commands, settings,
                      {.id = "edit.membersWhileTyping",
                       .category = edit,
                       .text = tr("List Members Behind a Dot"),
                       .help = tr("Open the list where a language server knows what can follow."),
                       .places = {{"edit", 5}}},
                      &Preferences::membersWhileTyping);
  addPreferenceToggle(commands, settings,
                      {.id = "edit.closePairs",
                       .category = edit,
                       .text = tr("Close &Brackets and Quotes"),
                       .help = tr("Put the closing bracket or quote in as the opening one is "
                                  "typed."),
                       .places = {{"edit", 5}}},
                      &Preferences::closePairs);
}

void addGoCommands(CommandRegistry& commands, EditorTabs* tabs, InputPrompt* prompt,
                   Picker* picker) {
  const QString go = tr("Go");
  commands.add({.id = "go.line",
                .category = go,
                .text = tr("Go to &Line…"),
                .help = tr("Go to a line, or LINE:COLUMN."),
                .keys = {Qt::CTRL | Qt::Key_G},
                .icon = "goto",
                .when = Context::kDocumentOpen,
                .places = {{"go"}},
                .run = [tabs, prompt] { goToLine(tabs, prompt); }});
  commands.add({.id = "go.back",
                .category = go,
                .text = tr("&Back"),
                .help = tr("Go back to where the caret was before it went far."),
                .keys = {Qt::ALT | Qt::Key_Left},
                .places = {{"go"}},
                .run = [tabs] { tabs->places()->goBack(); }});
  commands.add({.id = "go.forward",
                .category = go,
                .text = tr("&Forward"),
                .help = tr("Go forward again after going back."),
                .keys = {Qt::ALT | Qt::Key_Right},
                .places = {{"go"}},
                .run = [tabs] { tabs->places()->goForward(); }});
  commands.add({.id = "go.bookmarks",
                .category = go,
                .text = tr("Book&marks…"),
                .help = tr("Choose one of the bookmarks of all files."),
                .keys = {Qt::CTRL | Qt::ALT | Qt::Key_L},
                .places = {{"go", 3}},
                .run = [tabs, picker] { chooseBookmark(tabs, picker); }});
  commands.add({.id = "go.recentTab",
                .category = go,
                .text = tr("Last Used File"),
                .help = tr("Change to the file used before; hold Ctrl to go further back."),
                .keys = {Qt::CTRL | Qt::Key_Tab},
                .icon = "recent",
                .when = Context::kDocumentOpen,
                .places = {{"go", 2}},
                .run = [tabs] { tabs->stepBack(+1); }});
  commands.add(
      {.id = "go.recentTabBack",
       .category = go,
       .text = tr("Last Used File, Other Way"),
       .help = tr("Go through the files used before, the other way."),
       .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_Backtab, Qt::CTRL | Qt::SHIFT | Qt::Key_Tab},
       .icon = "recent",
       .when = Context::kDocumentOpen,
       .places = {{"go", 2}},
       .run = [tabs] { tabs->stepBack(-1); }});
  commands.add({.id = "go.nextTab",
                .category = go,
                .text = tr("&Next Tab"),
                .help = tr("Change to the tab at the right."),
                .keys = {Qt::CTRL | Qt::Key_PageDown},
                .when = Context::kDocumentOpen,
                .places = {{"go", 2}},
                .run = [tabs] { tabs->step(+1); }});
  commands.add({.id = "go.previousTab",
                .category = go,
                .text = tr("&Previous Tab"),
                .help = tr("Change to the tab at the left."),
                .keys = {Qt::CTRL | Qt::Key_PageUp},
                .when = Context::kDocumentOpen,
                .places = {{"go", 2}},
                .run = [tabs] { tabs->step(-1); }});
  commands.add({.id = "go.editor",
                .category = go,
                .text = tr("To the &Text"),
                .help = tr("Give the keyboard to the text."),
                .keys = {Qt::CTRL | Qt::Key_1},
                .when = Context::kDocumentOpen,
                .places = {{"go", 3}},
                .run = [tabs] { tabs->current()->setFocus(); }});
}

}  // namespace waferpair::gui
