// SPDX-License-Identifier: GPL-3.0-or-later
// A mode for runs that must show the same, to the pixel, when they are given the same
// (docs/automation.md). The model server has a mode of its own for it: RuntimeCommand.
#pragma once

class QMainWindow;

namespace waferpair::gui {

// Before the application object is there: the clock stands still, and what is kept in hash tables
// comes in the same order in each run.
void beReproducible();

// Nothing in the window moves by itself.
void stopAnimations(QMainWindow* window);

}  // namespace waferpair::gui
