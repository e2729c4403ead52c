// SPDX-License-Identifier: GPL-3.0-or-later
// A mode for runs that must show the same, to the pixel, when they are given the same
// (docs/automation.md). The model server has a mode of its own for it: RuntimeCommand.
#pragma once

class QMainWindow;

namespace waferpair::gui {

// Call before the application object is there. The clock stands still, and the content of hash
// tables comes in the same order in each run.
void beReproducible();

// Makes sure that nothing in the window moves by itself.
void stopAnimations(QMainWindow* window);

}  // namespace waferpair::gui
