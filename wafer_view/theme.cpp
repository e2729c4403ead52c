// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/theme.h"

#include <cmath>
#include <numbers>

namespace waferpair::view {
namespace {

LevelColors levelColors(Ground ground, QRgb silicon, QRgb zero) {
  LevelColors colors{};
  colors[kUnusedLevel] = silicon;
  colors[kZeroLevel] = zero;
  for (int level = 2; level < 256; ++level) colors[level] = heatColor(ground, (level - 2) / 253.0);
  return colors;
}

}  // namespace

WaferColors waferColors(const QPalette& palette) {
  WaferColors theme;
  const QRgb base = palette.color(QPalette::Base).rgb();
  const OkLab baseLab = toOkLab(base);
  const bool dark = baseLab.l < 0.6;
  theme.ground = dark ? Ground::kDark : Ground::kLight;
  theme.backdrop = base;
  theme.text = palette.color(QPalette::Text).rgb();
  theme.dimText = mixed(theme.text, base, 0.34);
  theme.accent = dark ? 0xffffffff : 0xff101418;

  // Silicon stands out from the ground a little, a used core with nothing to do a little more.
  const double step = dark ? 1 : -1;
  theme.silicon = toRgb(fromLch(baseLab.l + step * 0.055, 0.018, 264));
  theme.gap = toRgb(fromLch(baseLab.l + step * 0.012, 0.008, 255));
  theme.waferEdge = toRgb(fromLch(baseLab.l + step * 0.095, 0.012, 255));
  theme.waferRim = toRgb(fromLch(baseLab.l + step * 0.20, 0.018, 255));
  theme.outline = dark ? toRgb(fromLch(0.86, 0.02, 255)) : toRgb(fromLch(0.30, 0.03, 255));
  theme.panel = toRgb(fromLch(baseLab.l + (dark ? 0.055 : 0.02), 0.014, 264));
  theme.panelBorder = mixed(base, theme.text, 0.28);
  theme.badge = dark ? toRgb(fromLch(0.80, 0.13, 85)) : toRgb(fromLch(0.52, 0.12, 70));
  theme.badgeText = textOn(theme.badge);
  theme.hostSeries = dark ? toRgb(fromLch(0.75, 0.12, 235)) : toRgb(fromLch(0.52, 0.14, 245));
  theme.waferSeries = dark ? toRgb(fromLch(0.79, 0.14, 70)) : toRgb(fromLch(0.58, 0.14, 55));

  // Colors by SramKind. Lightness differs as well as hue, so that neighbors in a bar stay apart for
  // color-blind eyes.
  const auto kind = [dark](double lightness, double chroma, double hue) {
    return toRgb(fromLch(lightness - (dark ? 0 : 0.10), chroma, hue));
  };
  theme.sram = {kind(0.62, 0.06, 300),                                 // code
                kind(0.68, 0.13, 245),                                 // weights
                kind(0.82, 0.13, 80),                                  // KV cache
                kind(0.73, 0.11, 165),                                 // activations
                toRgb(fromLch(baseLab.l + step * 0.14, 0.010, 255))};  // free

  const QRgb zero = toRgb(fromLch(baseLab.l + step * 0.105, 0.036, 265));
  theme.levels = levelColors(theme.ground, theme.silicon, zero);
  theme.idleLevels = theme.levels;
  // Faded towards the silicon: still readable as the same scale, plainly not live.
  for (int level = 1; level < 256; ++level)
    theme.idleLevels[level] = mixed(theme.levels[level], theme.silicon, level == 1 ? 0.4 : 0.5);
  return theme;
}

QRgb dieSilicon(const WaferColors& theme, int column, int row, int columns, int rows) {
  const double across = (column + 0.5) / columns, down = (row + 0.5) / rows;
  const OkLab base = toOkLab(theme.silicon);
  // One soft band of light along a diagonal, with a hue that drifts across it.
  const double band = std::cos(2 * std::numbers::pi * (0.75 * across + 0.55 * down - 0.15));
  const double hue = 255 + 55 * (down - across);
  const double chroma = theme.ground == Ground::kDark ? 0.017 : 0.012;
  return toRgb(fromLch(base.l + 0.016 * band, chroma, hue));
}

QColor seriesColor(const QPalette& palette, int series) {
  const auto colors = waferColors(palette).sram;
  return QColor::fromRgb(colors[static_cast<std::size_t>(series) % colors.size()]);
}

QRgb textOn(QRgb ground) {
  constexpr QRgb kWhite = 0xfff6f8fau, kBlack = 0xff0c0f12u;
  // Both have the same contrast (WCAG) at this lightness, a luminance of 0.18.
  return toOkLab(ground).l < 0.575 ? kWhite : kBlack;
}

}  // namespace waferpair::view
