// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/terminal/terminal_outputs.h"

#include <algorithm>

#include "gui/terminal/terminal_panel.h"
#include "gui/terminal/terminal_view.h"
#include "gui/translate.h"
#include "workbench/terminal/terminal_session.h"

namespace waferpair::gui {

using workbench::CellPlace;
using workbench::CellRange;
using workbench::ShellCommand;
using workbench::TerminalScreen;

namespace {

constexpr qint64 kMostOutputRows = 2000;  // of an output, its end
constexpr qint64 kRowsAround = 50;        // of a selection, in which a secret may lie that it cuts
constexpr int kMostCommands = 20;         // that are looked at

QString endOf(const TerminalScreen& screen, CellPlace from, CellPlace to) {
  return screen.text(std::max(from, CellPlace{to.row - kMostOutputRows, 0}), to);
}

pairing::TerminalText textOfCommand(const TerminalScreen& screen, int number) {
  const ShellCommand* command = screen.command(number);
  const auto output = screen.outputOf(number);
  pairing::TerminalText text{screen.lineOf(number),
                             command ? command->folder : QString(),
                             false,
                             output ? endOf(screen, output->first, output->second) : QString(),
                             {}};
  text.around = text.text;
  return text;
}

// The command whose output this place is in; -1: none, as far as is known.
int commandAt(const TerminalScreen& screen, CellPlace place) {
  const int last = screen.lastCommand();
  for (int number = last; number >= std::max(0, last - kMostCommands); --number) {
    const auto output = screen.outputOf(number);
    if (output && output->first <= place && place <= output->second) return number;
  }
  return -1;
}

}  // namespace

std::optional<pairing::TerminalText> terminalText(const TerminalPanel& panel) {
  const TerminalView* view = panel.current();
  if (!view) return std::nullopt;
  const TerminalScreen& screen = view->session()->screen();
  const CellRange selection = view->selection();
  if (!selection.isEmpty()) {
    pairing::TerminalText text = textOfCommand(screen, commandAt(screen, selection.start));
    text.isSelection = true;
    text.text = endOf(screen, selection.start, selection.end);
    text.around = screen.text({std::max(screen.first(), selection.start.row - kRowsAround), 0},
                              {selection.end.row + kRowsAround, screen.columns()});
    if (text.folder.isEmpty()) text.folder = view->session()->folder();
    return text;
  }
  const int last = screen.lastCommand();
  if (last >= 0 && !screen.isAlternate()) return textOfCommand(screen, last);
  const QString all = endOf(screen, {screen.first(), 0}, {screen.end() - 1, screen.columns()});
  return pairing::TerminalText{{}, view->session()->folder(), false, all, all};
}

QString wholeOutput(const TerminalView& view) {
  const TerminalScreen& screen = view.session()->screen();
  return screen.text({screen.first(), 0}, {screen.end() - 1, screen.columns()});
}

QVector<PrintedOutput> failedOutputs(const TerminalPanel& panel) {
  QVector<PrintedOutput> outputs;
  QVector<TerminalView*> views = panel.views();
  if (TerminalView* front = panel.current()) {
    views.removeOne(front);
    views.prepend(front);
  }
  for (const TerminalView* view : std::as_const(views)) {
    const TerminalScreen& screen = view->session()->screen();
    const int last = screen.lastCommand();
    if (last < 0)
      outputs.append({tr("in a terminal"),
                      endOf(screen, {screen.first(), 0}, {screen.end() - 1, screen.columns()})});
    for (int number = last; number >= std::max(0, last - kMostCommands) && last >= 0; --number) {
      const ShellCommand* command = screen.command(number);
      if (!command || command->status.value_or(0) == 0) continue;
      const pairing::TerminalText text = textOfCommand(screen, number);
      outputs.append({tr("in a terminal"), text.text});
    }
  }
  return outputs;
}

}  // namespace waferpair::gui
