// SPDX-License-Identifier: GPL-3.0-or-later
// What terminals have printed, as pairing asks for it. UI thread only.
#pragma once

#include <QVector>
#include <optional>

#include "gui/pairing/fix_error.h"
#include "pairing/context/gather_context.h"

namespace waferpair::gui {

class TerminalPanel;
class TerminalView;

// Returns what is selected in the terminal used last, else what the last command there printed,
// else the end of all it has printed. None: there is no terminal.
std::optional<pairing::TerminalText> terminalText(const TerminalPanel& panel);

// Returns all that a terminal has kept of what was printed there.
QString wholeOutput(const TerminalView& view);

// Returns what the last commands printed that failed; of a shell without marks the end of all it
// printed. The terminal used last comes first.
QVector<PrintedOutput> failedOutputs(const TerminalPanel& panel);

}  // namespace waferpair::gui
