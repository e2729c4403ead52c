// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/search_commands.h"

#include <QDockWidget>

#include "gui/documents/editor_tabs.h"
#include "gui/kit/command_registry.h"
#include "gui/translate.h"
#include "gui/workbench/search_panel.h"

namespace waferpair::gui {
namespace {

constexpr qsizetype kMostOfSelection = 500;  // bytes

// What is selected, where it lies in one line.
QString selectedLine(const EditorTabs* tabs) {
  const Document* document = tabs->current();
  const QByteArray text = document ? document->editor()->selectedText() : QByteArray();
  const bool isLine =
      text.size() < kMostOfSelection && !text.contains('\n') && !text.contains('\r');
  return isLine ? QString::fromUtf8(text) : QString();
}

}  // namespace

void addSearchCommands(CommandRegistry& commands, EditorTabs* tabs, SearchPanel* panel,
                       QDockWidget* dock) {
  const QString edit = tr("Edit");
  const QString go = tr("Go");
  const auto show = [dock] {
    dock->show();
    dock->raise();
  };
  commands.add(
      {.id = "search.find",
       .category = edit,
       .text = tr("Find in &All Files…"),
       .help = tr("Search all files of the project, with the selection where there is one."),
       .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_F},
       .icon = "search",
       .when = Context::kFolderOpen,
       .keysWhen = !Context::kTerminalFocused,
       .places = {{"edit", 3}},
       .run = [=] {
         show();
         panel->enter(selectedLine(tabs));
       }});
  commands.add(
      {.id = "search.replace",
       .category = edit,
       .text = tr("Replace in All &Files…"),
       .help = tr("Replace in all files of the project, with a look at each change first."),
       .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_H},
       .when = Context::kFolderOpen,
       .places = {{"edit", 3}},
       .run = [=] {
         show();
         panel->enterReplace(selectedLine(tabs));
       }});
  commands.add({.id = "search.next",
                .category = go,
                .text = tr("Next &Match in All Files"),
                .help = tr("Go to the next match of the search in all files."),
                .keys = {Qt::Key_F4},
                .when = Context::kFoundInFiles,
                .places = {{"go", 4}},
                .run = [panel] { panel->step(+1); }});
  commands.add({.id = "search.previous",
                .category = go,
                .text = tr("Pre&vious Match in All Files"),
                .help = tr("Go to the match before."),
                .keys = {Qt::SHIFT | Qt::Key_F4},
                .when = Context::kFoundInFiles,
                .places = {{"go", 4}},
                .run = [panel] { panel->step(-1); }});
}

}  // namespace waferpair::gui
