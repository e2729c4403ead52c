// SPDX-License-Identifier: GPL-3.0-or-later
// What screen readers and GUI tests read of a TerminalView: the visible text and the cursor.
#pragma once

namespace waferpair::gui {

// Makes Qt use our interface for TerminalView; more calls do nothing.
void installTerminalAccessibility();

}  // namespace waferpair::gui
