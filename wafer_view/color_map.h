// SPDX-License-Identifier: GPL-3.0-or-later
// Colors computed in OKLab, where equal steps look equal. The heat maps rise (on dark ground) or
// fall (on light ground) in lightness all the way, so that their order survives every kind of
// color blindness and a black-and-white print.
#pragma once

#include <QColor>
#include <array>

namespace waferpair::view {

// Lightness 0 to 1; a and b are the green-red and blue-yellow axes.
struct OkLab {
  double l = 0;
  double a = 0;
  double b = 0;
};

OkLab toOkLab(QRgb color);
QRgb toRgb(const OkLab& color);  // components out of sRGB's gamut are clipped
// Lightness, chroma, hue in degrees.
OkLab fromLch(double lightness, double chroma, double hue);
QRgb mixed(QRgb from, QRgb to, double share);  // along a straight line in OKLab

enum class Ground { kDark, kLight };

// The color at `position` (0 to 1) of the ramp for values above zero.
QRgb heatColor(Ground ground, double position);

}  // namespace waferpair::view
