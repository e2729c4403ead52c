// SPDX-License-Identifier: GPL-3.0-or-later
// The colors of a terminal: the theme's own for text and ground, and the 256 that programs ask for
// by number.
#pragma once

#include <QColor>
#include <array>

#include "workbench/terminal/cell.h"

namespace waferpair::gui {

struct TerminalColors {
  QColor text;
  QColor background;
  QColor selection;
  QColor match;
  QColor link;
  QColor succeeded;
  QColor failed;
  QColor muted;
  std::array<QRgb, 256> palette{};

  // Of the theme as it is now. The first 16 colors can be read on its ground.
  static TerminalColors ofTheme();

  QRgb color(workbench::CellColor color, const QColor& otherwise) const;
};

}  // namespace waferpair::gui
