// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/tree_commands.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDockWidget>

#include "editor/text/path_on_disk.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/command_registry.h"
#include "gui/project/folder_tree.h"
#include "gui/translate.h"

namespace waferpair::gui {

void addTreeCommands(CommandRegistry& commands, FolderTree* tree, QDockWidget* dock,
                     EditorTabs* tabs) {
  const QString files = tr("Files");
  commands.add({.id = "files.focus",
                .category = files,
                .text = tr("To the &Files"),
                .help = tr("Give the keyboard to the folder tree."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_E},
                .icon = "files",
                .places = {{"go", 3}},
                .run = [dock, tree] {
                  dock->show();
                  tree->setFocus();
                }});
  commands.add({.id = "files.openBeside",
                .category = files,
                .text = tr("Open to the &Side"),
                .help = tr("Open the selected file in the next pane, or in a new one."),
                .keys = {Qt::CTRL | Qt::Key_Return},
                .when = Context::kFolderOpen,
                .keysWhen = Context::kFilesFocused,
                .places = {{"tree"}},
                .run = [tree, tabs] {
                  const QString path = tree->selectedPath();
                  if (editor::isFileAt(path)) tabs->openBeside(path);
                }});
  commands.add({.id = "files.newFile",
                .category = files,
                .text = tr("New &File…"),
                .help = tr("Make a file in the selected folder."),
                .icon = "new-file",
                .when = Context::kFolderOpen,
                .places = {{"tree"}, {"filesTitle"}},
                .run = [tree] { tree->newFile(); }});
  commands.add({.id = "files.newFolder",
                .category = files,
                .text = tr("New F&older…"),
                .help = tr("Make a folder in the selected one."),
                .icon = "new-folder",
                .when = Context::kFolderOpen,
                .places = {{"tree"}, {"filesTitle"}},
                .run = [tree] { tree->newFolder(); }});
  commands.add({.id = "files.rename",
                .category = files,
                .text = tr("&Rename…"),
                .help = tr("Rename the selected file or folder."),
                .keys = {Qt::Key_F2},
                .icon = "pencil",
                .when = Context::kFolderOpen,
                .keysWhen = Context::kFilesFocused,
                .places = {{"tree", 2}},
                .run = [tree] { tree->rename(); }});
  commands.add({.id = "files.delete",
                .category = files,
                .text = tr("Move to &Trash…"),
                .help = tr("Move the selected file or folder to the trash, after asking."),
                .keys = {Qt::Key_Delete},
                .icon = "trash",
                .when = Context::kFolderOpen,
                .keysWhen = Context::kFilesFocused,
                .places = {{"tree", 2}},
                .run = [tree] { tree->remove(); }});
  commands.add({.id = "files.reveal",
                .category = files,
                .text = tr("Re&veal This File"),
                .help = tr("Select the open file in the tree."),
                .keys = {Qt::CTRL | Qt::ALT | Qt::Key_E},
                .icon = "locate",
                .when = Context::kDocumentOpen,
                .places = {{"go", 3}, {"tab", 3}},
                .run = [dock, tree, tabs] {
                  dock->show();
                  tree->reveal(tabs->current()->path());
                  tree->setFocus();
                }});
  commands.add({.id = "files.collapse",
                .category = files,
                .text = tr("&Collapse All"),
                .help = tr("Fold all folders of the tree."),
                .icon = "collapse",
                .when = Context::kFolderOpen,
                .places = {{"tree", 4}, {"filesTitle"}},
                .run = [tree] { tree->collapseAll(); }});
  commands.add({.id = "files.copyPath",
                .category = files,
                .text = tr("Copy &Path"),
                .help = tr("Copy the path of what is selected."),
                .when = Context::kFolderOpen,
                .places = {{"tree", 3}},
                .run = [tree] {
                  QApplication::clipboard()->setText(
                      QDir::toNativeSeparators(tree->selectedPath()));
                }});
}

}  // namespace waferpair::gui
