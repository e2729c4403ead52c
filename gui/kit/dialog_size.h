// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

class QWidget;

namespace waferpair::gui {

// Gives a top-level widget this size, or as much of it as its screen has room for.
void resizeWithin(QWidget* window, QSize wanted);

}  // namespace waferpair::gui
