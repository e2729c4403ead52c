// SPDX-License-Identifier: GPL-3.0-or-later
// The few signs on this room's buttons, drawn as lines in the color of the text: sharp at any
// scale, right on dark and light ground, no files.
#pragma once

#include <QColor>
#include <QIcon>

namespace waferpair::view {

enum class Glyph {
  kZoomIn,
  kZoomOut,
  kFit,
  kFitModel,
  kPause,
  kResume,
  kWave,
  kStepBack,
  kStepForward,
  kMore,
  kClose,
};

QIcon glyphIcon(Glyph glyph, const QColor& color, const QColor& disabled);

}  // namespace waferpair::view
