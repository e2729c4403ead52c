// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/terminal/terminal_commands.h"

#include <QAction>
#include <QDockWidget>
#include <QFileInfo>
#include <QScrollBar>

#include "gui/documents/editor_tabs.h"
#include "gui/kit/command_registry.h"
#include "gui/project/folder_tree.h"
#include "gui/terminal/terminal_outputs.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/terminal/terminal_view.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

void showTerminals(const TerminalCommandParts& parts) {
  parts.dock->show();
  parts.dock->raise();
  parts.panel->enterToType();
}

// To the terminal, or from it back to the text, out of the way.
void toggleTerminals(const TerminalCommandParts& parts) {
  const TerminalView* current = parts.panel->current();
  if (parts.dock->isHidden() || !current || !current->hasFocus()) return showTerminals(parts);
  parts.dock->hide();
  if (Document* document = parts.tabs->current()) document->setFocus();
}

// A command about the terminal in front.
Command terminalCommand(const TerminalCommandParts& parts, Command command,
                        void (*run)(TerminalView* view)) {
  command.when = Context::kTerminalOpen;
  command.run = [panel = parts.panel, run] {
    if (TerminalView* view = panel->current()) run(view);
  };
  return command;
}

void addPanelCommands(CommandRegistry& commands, const TerminalCommandParts& parts) {
  const QString category = tr("Terminal");
  TerminalPanel* panel = parts.panel;
  QDockWidget* dock = parts.dock;
  QAction* toggle =
      commands.add({.id = "terminal.toggle",
                    .category = category,
                    .text = tr("&Terminal"),
                    .help = tr("Go to the terminal, or hide it and go back to the text."),
                    .keys = {Qt::CTRL | Qt::Key_QuoteLeft},
                    .icon = "terminal",
                    .checkable = true,
                    .places = {{"view", 2}, {"tools", 1, 3}},
                    .run = [parts] { toggleTerminals(parts); }});
  QObject::connect(dock, &QDockWidget::visibilityChanged, toggle, &QAction::setChecked);
  const auto show = [dock] {
    dock->show();
    dock->raise();
  };
  commands.add({.id = "terminal.new",
                .category = category,
                .text = tr("&New Terminal"),
                .help = tr("Open another terminal in the project's folder."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_QuoteLeft,
                         Qt::CTRL | Qt::SHIFT | Qt::Key_AsciiTilde},
                .icon = "plus",
                .places = {{"view/terminal"}, {"terminalTitle"}, {"terminal", 2}},
                .run = [panel, show] {
                  show();
                  panel->open();
                }});
  commands.add({.id = "terminal.newWith",
                .category = category,
                .text = tr("New Terminal &With…"),
                .help = tr("Open another terminal with a shell of your choice."),
                .places = {{"view/terminal"}},
                .run = [panel, show] {
                  show();
                  panel->chooseProfile();
                }});
  commands.add({.id = "terminal.split",
                .category = category,
                .text = tr("&Split Terminal"),
                .help = tr("Open another terminal beside this one, in its folder."),
                .icon = "split",
                .when = Context::kTerminalOpen,
                .places = {{"view/terminal"}, {"terminalTitle"}, {"terminal", 2}},
                .run = [panel, show] {
                  show();
                  panel->split();
                }});
  commands.add({.id = "terminal.here",
                .category = category,
                .text = tr("Open &Terminal Here"),
                .help = tr("Open a terminal in the selected folder."),
                .when = Context::kFolderOpen,
                .places = {{"tree", 4}},
                .run = [panel, show, tree = parts.tree] {
                  const QFileInfo selected(tree->selectedPath());
                  show();
                  panel->open(selected.isDir() ? selected.absoluteFilePath()
                                               : selected.absolutePath());
                }});
  commands.add({.id = "terminal.next",
                .category = category,
                .text = tr("N&ext Terminal"),
                .help = tr("Go to the terminal behind this one."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_PageDown},
                .when = Context::kTerminalOpen,
                .keysWhen = Context::kTerminalFocused,
                .places = {{"view/terminal", 2}},
                .run = [panel] { panel->step(+1); }});
  commands.add({.id = "terminal.previous",
                .category = category,
                .text = tr("&Previous Terminal"),
                .help = tr("Go to the terminal before this one."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_PageUp},
                .when = Context::kTerminalOpen,
                .keysWhen = Context::kTerminalFocused,
                .places = {{"view/terminal", 2}},
                .run = [panel] { panel->step(-1); }});
  commands.add({.id = "terminal.rename",
                .category = category,
                .text = tr("&Rename Terminal…"),
                .help = tr("Give the terminal a name of your own."),
                .when = Context::kTerminalOpen,
                .places = {{"view/terminal", 2}},
                .run = [panel] { panel->rename(); }});
  commands.add({.id = "terminal.restart",
                .category = category,
                .text = tr("Restart S&hell"),
                .help = tr("End the shell and what runs in it, and start it again where it was."),
                .when = Context::kTerminalOpen,
                .places = {{"view/terminal", 2}},
                .run = [panel] { panel->restart(); }});
  commands.add({.id = "terminal.close",
                .category = category,
                .text = tr("&Close Terminal"),
                .help = tr("End the terminal. It asks first where a program runs."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_W},
                .icon = "trash",
                .when = Context::kTerminalOpen,
                .keysWhen = Context::kTerminalFocused,
                .places = {{"view/terminal", 2}, {"terminalTitle"}, {"terminal", 2}},
                .run = [panel] { panel->close(panel->current()); }});
}

void addTextCommands(CommandRegistry& commands, const TerminalCommandParts& parts) {
  const Qt::KeyboardModifiers both = Qt::ControlModifier | Qt::ShiftModifier;
  const auto key = [both](Qt::Key with) {
    return QList<QKeySequence>{QKeySequence(QKeyCombination(both, with))};
  };
  commands.add(terminalCommand(parts,
                               {.id = "terminal.copy",
                                .category = tr("Terminal"),
                                .text = tr("&Copy from the Terminal"),
                                .help = tr("Copy what is selected in the terminal."),
                                .keys = key(Qt::Key_C),
                                .keysWhen = Context::kTerminalFocused,
                                .places = {{"terminal"}}},
                               [](TerminalView* view) { view->copy(); }));
  commands.add(
      terminalCommand(parts,
                      {.id = "terminal.paste",
                       .category = tr("Terminal"),
                       .text = tr("&Paste into the Terminal"),
                       .help = tr("Paste; it asks first where several lines would be run at once."),
                       .keys = key(Qt::Key_V),
                       .keysWhen = Context::kTerminalFocused,
                       .places = {{"terminal"}}},
                      [](TerminalView* view) { view->paste(); }));
  commands.add(terminalCommand(parts,
                               {.id = "terminal.selectAll",
                                .category = tr("Terminal"),
                                .text = tr("Select &All of the Terminal"),
                                .help = tr("Select all that the terminal has kept."),
                                .keys = key(Qt::Key_A),
                                .keysWhen = Context::kTerminalFocused,
                                .places = {{"terminal"}}},
                               [](TerminalView* view) { view->selectAll(); }));
  commands.add(terminalCommand(
      parts,
      {.id = "terminal.mark",
       .category = tr("Terminal"),
       .text = tr("&Mark Text by Keys"),
       .help = tr("Move through the terminal's text: Shift selects, Return copies, Esc ends it."),
       .keys = key(Qt::Key_X),
       .keysWhen = Context::kTerminalFocused,
       .places = {{"view/terminal", 3}}},
      [](TerminalView* view) { view->startMarking(); }));
  commands.add({.id = "terminal.find",
                .category = tr("Terminal"),
                .text = tr("&Find in the Terminal…"),
                .help = tr("Search all that the terminal has kept."),
                .keys = key(Qt::Key_F),
                .when = Context::kTerminalOpen,
                .keysWhen = Context::kTerminalFocused,
                .places = {{"view/terminal", 3}, {"terminal", 3}},
                .run = [panel = parts.panel] { panel->find(); }});
  commands.add(terminalCommand(parts,
                               {.id = "terminal.clear",
                                .category = tr("Terminal"),
                                .text = tr("C&lear the Terminal"),
                                .help = tr("Forget what has scrolled off, and clear the screen."),
                                .places = {{"view/terminal", 3}, {"terminal", 3}}},
                               [](TerminalView* view) { view->clear(); }));
}

void addMarkCommands(CommandRegistry& commands, const TerminalCommandParts& parts) {
  commands.add(terminalCommand(parts,
                               {.id = "terminal.previousPrompt",
                                .category = tr("Terminal"),
                                .text = tr("Previous Pr&ompt"),
                                .help = tr("Scroll to the prompt above."),
                                .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Up)},
                                .keysWhen = Context::kTerminalFocused,
                                .places = {{"view/terminal", 4}}},
                               [](TerminalView* view) { view->jumpToPrompt(-1); }));
  commands.add(terminalCommand(parts,
                               {.id = "terminal.nextPrompt",
                                .category = tr("Terminal"),
                                .text = tr("Ne&xt Prompt"),
                                .help = tr("Scroll to the prompt below."),
                                .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Down)},
                                .keysWhen = Context::kTerminalFocused,
                                .places = {{"view/terminal", 4}}},
                               [](TerminalView* view) { view->jumpToPrompt(+1); }));
  commands.add(terminalCommand(
      parts,
      {.id = "terminal.selectOutput",
       .category = tr("Terminal"),
       .text = tr("Select &Output"),
       .help = tr("Select the output of the last command, or of the one scrolled to."),
       .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Y)},
       .keysWhen = Context::kTerminalFocused,
       .places = {{"view/terminal", 4}, {"terminal"}}},
      [](TerminalView* view) { view->selectOutput(); }));
  commands.add(terminalCommand(
      parts,
      {.id = "terminal.link",
       .category = tr("Terminal"),
       .text = tr("Previous &Link"),
       .help = tr("Select the link nearest to the end of the output, then those above it."),
       .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G)},
       .keysWhen = Context::kTerminalFocused,
       .places = {{"view/terminal", 4}}},
      [](TerminalView* view) { view->goToLink(); }));
  commands.add(terminalCommand(
      parts,
      {.id = "terminal.openLink",
       .category = tr("Terminal"),
       .text = tr("Open Lin&k"),
       .help = tr("Open the selected link, or the last one: a file at its line, or an address."),
       .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_J)},
       .keysWhen = Context::kTerminalFocused,
       .places = {{"view/terminal", 4}}},
      [](TerminalView* view) { view->openMarkedLink(); }));
}

void addPairingCommands(CommandRegistry& commands, const TerminalCommandParts& parts) {
  // Ctrl+K is the shell's, too: see TerminalView::event().
  commands.add({.id = "terminal.words",
                .category = tr("Terminal"),
                .text = tr("Command from &Words…"),
                .help = tr("Say what a command is to do; a model writes it, and you put it at the "
                           "prompt."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_K, Qt::CTRL | Qt::Key_K},
                .icon = "pencil",
                .when = Context::kTerminalOpen,
                .keysWhen = Context::kTerminalFocused && !Context::kEditorFocused,
                .places = {{"view/terminal", 5}, {"terminal", 1, 1}},
                .run = [panel = parts.panel, dock = parts.dock] {
                  dock->show();
                  dock->raise();
                  panel->askForCommand();
                }});
  commands.add({.id = "terminal.ask",
                .category = tr("Terminal"),
                .text = tr("As&k About This Output…"),
                .help = tr("Ask about what is selected in the terminal, or what the last command "
                           "printed."),
                .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Q)},
                .when = Context::kTerminalOpen,
                .keysWhen = Context::kTerminalFocused,
                .places = {{"view/terminal", 5}, {"terminal", 1, 1}},
                .run = parts.ask});
  commands.add({.id = "terminal.fix",
                .category = tr("Terminal"),
                .text = tr("Fi&x Error in This Output…"),
                .help = tr("Have an error fixed that is selected in the terminal, or that the last "
                           "command printed."),
                .when = Context::kTerminalOpen,
                .places = {{"view/terminal", 5}, {"terminal", 1, 1}},
                .run = [panel = parts.panel, errors = parts.errors] {
                  const auto text = terminalText(*panel);
                  if (text) chooseErrorOf(errors, {tr("in a terminal"), text->text});
                }});
}

}  // namespace

void addTerminalCommands(CommandRegistry& commands, const TerminalCommandParts& parts) {
  addPanelCommands(commands, parts);
  addTextCommands(commands, parts);
  addMarkCommands(commands, parts);
  addPairingCommands(commands, parts);
}

}  // namespace waferpair::gui
