// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/debug/debug_commands.h"

#include "gui/debug/debug_bar.h"
#include "gui/debug/debug_tools.h"
#include "gui/kit/command_registry.h"
#include "gui/translate.h"

namespace waferpair::gui {

using workbench::DebugSession;
using Page = DebugPanel::Page;
using Step = DebugSession::Step;

namespace {

// What moves a program on that is debugged.
void addMoves(CommandRegistry& commands, DebugTools* tools) {
  const QString category = tr("Debug");
  DebugRunner* runner = tools->runner();
  commands.add({.id = "debug.start",
                .category = category,
                .text = tr("Debu&g or Go On"),
                .help = tr("Go on where the program stands, or debug what was debugged last; "
                           "choose where nothing was."),
                .keys = {Qt::Key_F5},
                .icon = "play",
                .when = !Context::kDebugRunning,
                .places = {{"run", 5}, {"debugBar", 1}},
                .run = [tools, runner] {
                  if (runner->isStopped()) return runner->session()->resume();
                  tools->chooser()->start();
                }});
  commands.add({.id = "debug.pause",
                .category = category,
                .text = tr("&Pause"),
                .help = tr("Have the program that is debugged stand still where it is."),
                .keys = {QKeySequence(Qt::CTRL | Qt::Key_F5)},
                .icon = "pause",
                .when = Context::kDebugRunning,
                .places = {{"run/debug", 1}, {"debugBar", 1}},
                .run = [runner] {
                  if (runner->session()) runner->session()->pause();
                }});
  struct Move {
    const char* id;
    const char* text;
    const char* help;
    QKeySequence keys;
    const char* icon;
    Step step;
  };
  const Move moves[] = {
      {"debug.stepOver", QT_TRANSLATE_NOOP("Window", "Step &Over"),
       QT_TRANSLATE_NOOP("Window", "Go on to the next line, through calls in this one."),
       Qt::Key_F10, "step-over", Step::kOver},
      {"debug.stepIn", QT_TRANSLATE_NOOP("Window", "Step &Into"),
       QT_TRANSLATE_NOOP("Window", "Go on into the call in this line."), Qt::Key_F11, "step-in",
       Step::kIn},
      {"debug.stepOut", QT_TRANSLATE_NOOP("Window", "Step Ou&t"),
       QT_TRANSLATE_NOOP("Window", "Go on until this function returns."),
       QKeySequence(Qt::SHIFT | Qt::Key_F11), "step-out", Step::kOut}};
  for (const Move& move : moves)
    commands.add({.id = move.id,
                  .category = category,
                  .text = tr(move.text),
                  .help = tr(move.help),
                  .keys = {move.keys},
                  .icon = move.icon,
                  .when = Context::kDebugStopped,
                  // F11 is the full screen's otherwise.
                  .keysWhen = Context::kDebugStopped,
                  .places = {{"run/debug", 1}, {"debugBar", 1}},
                  .run = [tools, step = move.step] { tools->step(step); }});
  commands.add({.id = "debug.runToCaret",
                .category = category,
                .text = tr("Run to the &Caret"),
                .help = tr("Go on until the program comes to the line of the caret."),
                .keys = {QKeySequence(Qt::CTRL | Qt::Key_F10)},
                .when = Context::kDebugStopped && Context::kDocumentOpen,
                .places = {{"run/debug", 1}, {"editor", 5}},
                .run = [tools] { tools->runToCaret(); }});
  commands.add({.id = "debug.restart",
                .category = category,
                .text = tr("&Restart"),
                .help = tr("End what is debugged and begin anew."),
                .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F5)},
                .icon = "repeat",
                .when = Context::kDebugging,
                .places = {{"run/debug", 2}, {"debugBar", 1}},
                .run = [runner] { runner->restart(); }});
  commands.add({.id = "debug.stop",
                .category = category,
                .text = tr("&Stop Debugging"),
                .help = tr("End the program that is debugged, or let go of the process that was "
                           "attached to."),
                .keys = {QKeySequence(Qt::SHIFT | Qt::Key_F5)},
                .icon = "stop",
                .when = Context::kDebugging,
                .places = {{"run/debug", 2}, {"debugBar", 1}},
                .run = [runner] { runner->stop(); }});
}

void addBreakpointCommands(CommandRegistry& commands, DebugTools* tools) {
  const QString category = tr("Debug");
  DebugRunner* runner = tools->runner();
  commands.add({.id = "debug.breakpoint",
                .category = category,
                .text = tr("Set or Remove &Breakpoint"),
                .help = tr("Have the program stop at the line of the caret, or no longer."),
                .keys = {Qt::Key_F9},
                .when = Context::kDocumentOpen,
                .places = {{"run/debug", 3}, {"editor", 5}},
                .run = [tools] { tools->margin()->toggle(); }});
  commands.add({.id = "debug.editBreakpoint",
                .category = category,
                .text = tr("&Edit Breakpoint…"),
                .help = tr("Give the breakpoint in the line of the caret a condition, a count, or "
                           "a text to print instead of stopping."),
                .keys = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F9)},
                .when = Context::kDocumentOpen,
                .places = {{"run/debug", 3}, {"editor", 5}},
                .run = [tools] { tools->editBreakpoint(tools->margin()->atCaret()); }});
  commands.add({.id = "debug.breakpointOn",
                .category = category,
                .text = tr("Turn Breakpoint O&n or Off"),
                .help = tr("Keep the breakpoint in the line of the caret, but do not stop there."),
                .keys = {QKeySequence(Qt::CTRL | Qt::Key_F9)},
                .when = Context::kDocumentOpen,
                .places = {{"run/debug", 3}},
                .run = [tools] { tools->margin()->toggleOn(); }});
  commands.add({.id = "debug.allOn",
                .category = category,
                .text = tr("Turn &All Breakpoints On"),
                .help = tr("Have the program stop at each of the project's breakpoints."),
                .places = {{"run/debug", 4}},
                .run = [runner] { runner->breakpoints()->setAllOn(true); }});
  commands.add({.id = "debug.allOff",
                .category = category,
                .text = tr("Turn All Breakpoints O&ff"),
                .help = tr("Keep the project's breakpoints, but stop at none."),
                .places = {{"run/debug", 4}},
                .run = [runner] { runner->breakpoints()->setAllOn(false); }});
  commands.add({.id = "debug.removeAll",
                .category = category,
                .text = tr("Re&move All Breakpoints"),
                .help = tr("Remove each of the project's breakpoints."),
                .places = {{"run/debug", 4}},
                .run = [runner] { runner->breakpoints()->clear(); }});
}

void addPageCommands(CommandRegistry& commands, DebugTools* tools) {
  const QString category = tr("Debug");
  struct PageRow {
    const char* id;
    const char* text;
    const char* help;
    QList<QKeySequence> keys;
    Page page;
  };
  const PageRow pages[] = {
      {"debug.variables",
       QT_TRANSLATE_NOOP("Window", "Show &Variables"),
       QT_TRANSLATE_NOOP("Window", "Give the keyboard to the values of the function."),
       {chord(Qt::Key_F9)},
       Page::kVariables},
      {"debug.calls",
       QT_TRANSLATE_NOOP("Window", "Sho&w Calls"),
       QT_TRANSLATE_NOOP("Window", "Give the keyboard to the threads and their calls."),
       {},
       Page::kStack},
      {"debug.watches",
       QT_TRANSLATE_NOOP("Window", "Show Watches"),
       QT_TRANSLATE_NOOP("Window", "Give the keyboard to the watched expressions."),
       {},
       Page::kWatches},
      {"debug.console",
       QT_TRANSLATE_NOOP("Window", "Show Console"),
       QT_TRANSLATE_NOOP("Window", "Give the keyboard to the debugger's console."),
       {},
       Page::kConsole},
      {"debug.breakpoints",
       QT_TRANSLATE_NOOP("Window", "Show Brea&kpoints"),
       QT_TRANSLATE_NOOP("Window", "Give the keyboard to the list of breakpoints."),
       {},
       Page::kBreakpoints},
      {"debug.disassembly",
       QT_TRANSLATE_NOOP("Window", "Show Disassembl&y"),
       QT_TRANSLATE_NOOP("Window",
                         "Give the keyboard to the instructions; steps go by them there."),
       {},
       Page::kDisassembly}};
  for (const PageRow& row : pages)
    commands.add({.id = row.id,
                  .category = category,
                  .text = tr(row.text),
                  .help = tr(row.help),
                  .keys = row.keys,
                  .places = {{"run/debug", 6}},
                  .run = [tools, page = row.page] { tools->showPage(page); }});
}

}  // namespace

void addDebugCommands(CommandRegistry& commands, DebugTools* tools) {
  const QString category = tr("Debug");
  addMoves(commands, tools);
  commands.add({.id = "debug.choose",
                .category = category,
                .text = tr("Deb&ug…"),
                .help = tr("Choose what to debug: a configuration of the project, the file in "
                           "front, a program, a process or a core file."),
                .keys = {chord(Qt::Key_F5)},
                .icon = "bug",
                .places = {{"run", 5}},
                .run = [tools] { tools->chooser()->choose(); }});
  commands.add({.id = "debug.attach",
                .category = category,
                .text = tr("Attac&h to Process…"),
                .help = tr("Debug a process that runs already."),
                .places = {{"run/debug", 5}},
                .run = [tools] { tools->chooser()->chooseProcess(); }});
  commands.add({.id = "debug.core",
                .category = category,
                .text = tr("Look at Core Fi&le…"),
                .help = tr("Show where a program stood that has died, from its core file."),
                .places = {{"run/debug", 5}},
                .run = [tools] { tools->chooser()->chooseCore(); }});
  commands.add({.id = "debug.edit",
                .category = category,
                .text = tr("Edit La&unch Configurations"),
                .help = tr("Open the project's file of what can be debugged, which is made where "
                           "there is none."),
                .icon = "pencil",
                .when = Context::kFolderOpen,
                .places = {{"run/debug", 5}},
                .run = [tools] { tools->chooser()->edit(); }});
  addBreakpointCommands(commands, tools);
  commands.add({.id = "debug.watch",
                .category = category,
                .text = tr("Watch E&xpression"),
                .help = tr("Show the value of what is selected, or of the name at the caret, at "
                           "each stop."),
                .keys = {QKeySequence(Qt::SHIFT | Qt::Key_F9)},
                .when = Context::kDocumentOpen,
                .places = {{"run/debug", 3}, {"editor", 5}},
                .run = [tools] { tools->watchAtCaret(); }});
  addPageCommands(commands, tools);
  tools->bar()->addButtons(commands);
}

}  // namespace waferpair::gui
