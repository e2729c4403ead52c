// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/window_commands.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDockWidget>
#include <QMainWindow>
#include <QMessageBox>

#include "gui/documents/editor_tabs.h"
#include "gui/documents/find_bar.h"
#include "gui/kit/dock_strip.h"
#include "gui/kit/input_prompt.h"
#include "gui/project/folder_tree.h"
#include "gui/project/workspace.h"
#include "gui/shell/command_palette.h"
#include "gui/shell/keys_dialog.h"
#include "gui/shell/settings_dialog.h"
#include "gui/shell/shortcuts_dialog.h"
#include "gui/shell/status_line.h"
#include "gui/store/file_position.h"
#include "gui/translate.h"
#include "gui/wafer/wafer_dock.h"

namespace waferpair::gui {
namespace {

void goToLine(const WindowParts& p) {
  Document* document = p.tabs->current();
  if (!document) return;
  const int lines = document->editor()->lineCount();
  p.prompt->open(
      tr("Go to line, 1 to %1 (or LINE:COLUMN)").arg(lines), {}, 0,
      [](const QString& text) {
        return parseLineColumn(text) ? QString() : tr("Type a line number, or LINE:COLUMN.");
      },
      [p](const QString& text) {
        const auto place = parseLineColumn(text);
        if (Document* now = p.tabs->current(); now && place) {
          now->editor()->goToLine(place->line - 1, place->column - 1);
          now->setFocus();
        }
      });
}

// A command that shows and hides a dock, ticked while it is shown.
QAction* addDockToggle(const WindowParts& p, const Command& command, QDockWidget* dock,
                       std::function<void()> toggle) {
  QAction* action = p.commands->add(command, std::move(toggle));
  QObject::connect(dock, &QDockWidget::visibilityChanged, action, &QAction::setChecked);
  return action;
}

void toggleDock(QDockWidget* dock) {
  dock->setVisible(!dock->isVisible());
  if (dock->isVisible() && dock->widget()) dock->raise();
}

// In a small window it opens and folds: the strip is in nobody's way.
void toggleWafer(const WindowParts& p) {
  DockStrip* strip = p.waferStrip;
  if (p.waferDock->isHidden() || strip->isStrip()) {
    strip->open();
  } else if (strip->isCramped()) {
    strip->fold();
  } else {
    toggleDock(p.waferDock);
  }
}

}  // namespace

void addPreferenceToggle(const WindowParts& p, Command command, bool Preferences::*field) {
  command.checkable = true;
  Settings* settings = p.settings;
  QAction* action = p.commands->add(command, [settings, field] {
    Preferences changed = settings->get();
    changed.*field = !(changed.*field);
    settings->set(changed);
  });
  const auto show = [action, settings, field] { action->setChecked(settings->get().*field); };
  QObject::connect(settings, &Settings::changed, action, show);
  show();
}

void addEditCommands(const WindowParts& p) {
  const QString edit = tr("Edit");
  CommandRegistry& c = *p.commands;
  const auto onEditor = [p](void (editor::CodeEditor::*slot)()) {
    return [p, slot] { (p.tabs->current()->editor()->*slot)(); };
  };
  using editor::CodeEditor;
  c.add({"edit.undo",
         edit,
         tr("&Undo"),
         tr("Undo the last change."),
         {Qt::CTRL | Qt::Key_Z},
         "undo",
         false,
         true},
        onEditor(&CodeEditor::undo));
  c.add({"edit.redo",
         edit,
         tr("&Redo"),
         tr("Do again what was undone."),
         {Qt::CTRL | Qt::SHIFT | Qt::Key_Z, Qt::CTRL | Qt::Key_Y},
         "redo",
         false,
         true},
        onEditor(&CodeEditor::redo));
  c.add({"edit.cut",
         edit,
         tr("Cu&t"),
         tr("Cut the selection, or the line."),
         {Qt::CTRL | Qt::Key_X},
         {},
         false,
         true},
        onEditor(&CodeEditor::cut));
  c.add({"edit.copy",
         edit,
         tr("&Copy"),
         tr("Copy the selection, or the line."),
         {Qt::CTRL | Qt::Key_C},
         {},
         false,
         true},
        onEditor(&CodeEditor::copy));
  c.add({"edit.paste",
         edit,
         tr("&Paste"),
         tr("Insert what was copied."),
         {Qt::CTRL | Qt::Key_V},
         {},
         false,
         true},
        onEditor(&CodeEditor::paste));
  c.add({"edit.selectAll",
         edit,
         tr("Select &All"),
         tr("Select the whole text."),
         {Qt::CTRL | Qt::Key_A},
         {},
         false,
         true},
        onEditor(&CodeEditor::selectAll));
  c.add({"edit.find",
         edit,
         tr("&Find"),
         tr("Find in this file."),
         {Qt::CTRL | Qt::Key_F},
         "search",
         false,
         true},
        [p] { p.tabs->findBar()->openFind(); });
  c.add({"edit.replace",
         edit,
         tr("R&eplace"),
         tr("Find and replace in this file."),
         {Qt::CTRL | Qt::Key_H},
         "replace",
         false,
         true},
        [p] { p.tabs->findBar()->openReplace(); });
  c.add({"edit.findNext",
         edit,
         tr("Find &Next"),
         tr("Go to the next match."),
         {Qt::Key_F3},
         "chevron-down",
         false,
         true},
        [p] { p.tabs->findBar()->findNext(); });
  c.add({"edit.findPrevious",
         edit,
         tr("Find Pre&vious"),
         tr("Go to the match before."),
         {Qt::SHIFT | Qt::Key_F3},
         "chevron-up",
         false,
         true},
        [p] { p.tabs->findBar()->findPrevious(); });
}

void addViewCommands(const WindowParts& p) {
  const QString view = tr("View");
  const QString go = tr("Go");
  CommandRegistry& c = *p.commands;
  c.add({"view.palette",
         view,
         tr("&Command Palette…"),
         tr("Run any command by its name."),
         {Qt::CTRL | Qt::SHIFT | Qt::Key_P},
         "palette"},
        [p] { p.palette->open(); });
  addDockToggle(p,
                {"view.files",
                 view,
                 tr("&Files"),
                 tr("Show or hide the folder tree."),
                 {Qt::CTRL | Qt::Key_B},
                 "files",
                 true},
                p.filesDock, [dock = p.filesDock] { toggleDock(dock); });
  if (p.waferDock) {
    QAction* wafer = addDockToggle(p,
                                   {"view.wafer",
                                    view,
                                    tr("&Wafer"),
                                    tr("Show or hide the wafer view."),
                                    {Qt::CTRL | Qt::ALT | Qt::Key_W},
                                    "wafer",
                                    true},
                                   p.waferDock, [p] { toggleWafer(p); });
    QObject::connect(p.waferStrip, &DockStrip::changed, wafer, [p, wafer] {
      wafer->setChecked(p.waferDock->isVisible() && !p.waferStrip->isStrip());
    });
  }
  c.add({"view.theme",
         view,
         tr("Toggle Dark and &Light Theme"),
         tr("Change between dark and light."),
         {},
         "sun"},
        [p] {
          Preferences changed = p.settings->get();
          changed.theme = changed.theme == ThemeKind::kDark ? ThemeKind::kLight : ThemeKind::kDark;
          p.settings->set(changed);
        });
  c.add({"view.fullScreen",
         view,
         tr("F&ull Screen"),
         tr("Use the whole screen, or stop it."),
         {Qt::Key_F11}},
        [p] { p.window->setWindowState(p.window->windowState() ^ Qt::WindowFullScreen); });
  addPreferenceToggle(p,
                      {"view.hiddenFiles",
                       view,
                       tr("&Hidden Files"),
                       tr("Show files whose names begin with a dot in the tree."),
                       {},
                       "eye"},
                      &Preferences::hiddenFiles);
  addPreferenceToggle(p,
                      {"view.ignoredFiles",
                       view,
                       tr("&Ignored Files"),
                       tr("Show what .gitignore lists in the tree."),
                       {},
                       "eye"},
                      &Preferences::ignoredFiles);

  c.add({"go.line",
         go,
         tr("Go to &Line…"),
         tr("Go to a line, or LINE:COLUMN."),
         {Qt::CTRL | Qt::Key_G},
         "goto",
         false,
         true},
        [p] { goToLine(p); });
  QObject::connect(p.statusLine, &StatusLine::goToLineWanted, p.window, [p] { goToLine(p); });
  c.add({"go.recentTab",
         go,
         tr("Last Used File"),
         tr("Change to the file used before; hold Ctrl to go further back."),
         {Qt::CTRL | Qt::Key_Tab},
         "recent",
         false,
         true},
        [p] { p.tabs->stepBack(+1); });
  c.add({"go.recentTabBack",
         go,
         tr("Last Used File, Other Way"),
         tr("The same the other way."),
         {Qt::CTRL | Qt::SHIFT | Qt::Key_Backtab, Qt::CTRL | Qt::SHIFT | Qt::Key_Tab},
         "recent",
         false,
         true},
        [p] { p.tabs->stepBack(-1); });
  c.add({"go.nextTab",
         go,
         tr("&Next Tab"),
         tr("Change to the tab at the right."),
         {Qt::CTRL | Qt::Key_PageDown},
         {},
         false,
         true},
        [p] { p.tabs->step(+1); });
  c.add({"go.previousTab",
         go,
         tr("&Previous Tab"),
         tr("Change to the tab at the left."),
         {Qt::CTRL | Qt::Key_PageUp},
         {},
         false,
         true},
        [p] { p.tabs->step(-1); });
  c.add({"go.editor",
         go,
         tr("To the &Text"),
         tr("Give the keyboard to the text."),
         {Qt::CTRL | Qt::Key_1},
         {},
         false,
         true},
        [p] { p.tabs->current()->setFocus(); });
}

void addTreeCommands(const WindowParts& p) {
  const QString files = tr("Files");
  CommandRegistry& c = *p.commands;
  c.add({"files.focus",
         files,
         tr("To the &Files"),
         tr("Give the keyboard to the folder tree."),
         {Qt::CTRL | Qt::SHIFT | Qt::Key_E},
         "files"},
        [p] {
          p.filesDock->show();
          p.tree->setFocus();
        });
  c.add({"files.newFile",
         files,
         tr("New &File…"),
         tr("Make a file in the selected folder."),
         {},
         "new-file"},
        [p] { p.tree->newFile(); });
  c.add({"files.newFolder",
         files,
         tr("New F&older…"),
         tr("Make a folder in the selected one."),
         {},
         "new-folder"},
        [p] { p.tree->newFolder(); });
  Command rename{"files.rename", files,   tr("&Rename…"), tr("Rename the selected file or folder."),
                 {Qt::Key_F2},   "pencil"};
  rename.scope = p.tree;
  c.add(rename, [p] { p.tree->rename(); });
  Command remove{
      "files.delete",        files,
      tr("Move to &Trash…"), tr("Move the selected file or folder to the trash, after asking."),
      {Qt::Key_Delete},      "trash"};
  remove.scope = p.tree;
  c.add(remove, [p] { p.tree->remove(); });
  c.add({"files.reveal",
         files,
         tr("Re&veal This File"),
         tr("Select the open file in the tree."),
         {Qt::CTRL | Qt::ALT | Qt::Key_E},
         "locate",
         false,
         true},
        [p] {
          p.filesDock->show();
          p.tree->reveal(p.tabs->current()->path());
          p.tree->setFocus();
        });
  c.add({"files.collapse",
         files,
         tr("&Collapse All"),
         tr("Fold all folders of the tree."),
         {},
         "collapse"},
        [p] { p.tree->collapseAll(); });
  c.add({"files.copyPath", files, tr("Copy &Path"), tr("Copy the path of what is selected."), {}},
        [p] {
          QApplication::clipboard()->setText(QDir::toNativeSeparators(p.tree->selectedPath()));
        });
}

void addHelpCommands(const WindowParts& p) {
  const QString help = tr("Help");
  CommandRegistry& c = *p.commands;
  c.add({"app.settings",
         tr("Edit"),
         tr("&Settings…"),
         tr("Theme, font and other preferences."),
         {Qt::CTRL | Qt::Key_Comma},
         "settings"},
        [p] {
          auto* dialog = new SettingsDialog(p.settings, p.window);
          dialog->setAttribute(Qt::WA_DeleteOnClose);
          dialog->open();
        });
  c.add({"help.shortcuts",
         help,
         tr("Keyboard &Shortcuts…"),
         tr("See and change all keys."),
         {QKeySequence(Qt::CTRL | Qt::Key_K, Qt::CTRL | Qt::Key_S)},
         "keyboard"},
        [p] {
          auto* dialog = new ShortcutsDialog(p.commands, p.editorKeys, p.window);
          dialog->setAttribute(Qt::WA_DeleteOnClose);
          dialog->open();
        });
  c.add({"help.keys",
         help,
         tr("&Keys"),
         tr("What Tab and Esc do, and all keys."),
         {Qt::Key_F1},
         "keyboard"},
        [p] {
          auto* dialog = new KeysDialog(*p.commands, *p.editorKeys, p.window);
          dialog->setAttribute(Qt::WA_DeleteOnClose);
          dialog->show();
        });
  c.add({"help.about", help, tr("&About Waferpair"), tr("Version and license."), {}, "info"}, [p] {
    auto* box = new QMessageBox(p.window);
    box->setObjectName(QStringLiteral("aboutDialog"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIconPixmap(p.window->windowIcon().pixmap(48, 48));
    box->setWindowTitle(tr("About Waferpair"));
    box->setText(QStringLiteral("<b>Waferpair %1</b>").arg(QApplication::applicationVersion()));
    box->setInformativeText(
        tr("Pair programming with a model that runs on an emulated wafer.\n"
           "Free software under the GNU General Public License, version 3 or later."));
    box->open();
  });
}

}  // namespace waferpair::gui
