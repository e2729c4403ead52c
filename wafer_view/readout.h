// SPDX-License-Identifier: GPL-3.0-or-later
// The read-out of one PE, in words and numbers: drawn in a place of its own, and the same as text.
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>
#include <vector>

#include "wafer_view/planes.h"
#include "wafer_view/text_fit.h"
#include "wafer_view/theme.h"

class QPainter;

namespace waferpair::view {

struct Readout {
  QString title;   // "PE (381, 586)"
  QString place;   // "die (6, 3)"
  QString region;  // "layers 0-1"; "unused" off the regions
  QString ops;     // "blk.0.attn_norm and 19 more"
  std::vector<NamedText> figures;
  std::vector<NamedText> sram;  // by kind, in the kinds' order; may be empty
  QString basis;                // over what the figures were taken
  int regionIndex = -1;

  bool isEmpty() const { return title.isEmpty(); }
  QString text() const;  // one figure a line
};

// Empty when (x, y) is off the fabric.
Readout readoutAt(const Planes& planes, int x, int y);

// The read-out stands in a column, in a block of a few lines, or in one line: whichever `rect` has
// room for.
inline constexpr int kReadoutColumnWidth = 236, kReadoutColumnHeight = 252;
inline constexpr int kReadoutBlockHeight = 92, kReadoutLineHeight = 20;

// An empty read-out says how to get one.
void drawReadout(QPainter& painter, const QRectF& rect, const Readout& readout,
                 const Planes& planes, const WaferColors& theme, const QFont& font);

}  // namespace waferpair::view
