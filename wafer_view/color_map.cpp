// SPDX-License-Identifier: GPL-3.0-or-later
#include "wafer_view/color_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace waferpair::view {
namespace {

struct Stop {
  double position, lightness, chroma, hue;
};

// Indigo, violet, rose, amber, pale yellow: lightness rises evenly.
constexpr std::array<Stop, 5> kDarkStops = {{{0.00, 0.36, 0.100, 272},
                                             {0.25, 0.48, 0.175, 300},
                                             {0.50, 0.62, 0.190, 355},
                                             {0.75, 0.77, 0.150, 55},
                                             {1.00, 0.96, 0.100, 103}}};
// Pale aqua, teal, blue, indigo, plum: lightness falls evenly.
constexpr std::array<Stop, 5> kLightStops = {{{0.00, 0.87, 0.055, 205},
                                              {0.25, 0.74, 0.100, 215},
                                              {0.50, 0.59, 0.140, 245},
                                              {0.75, 0.42, 0.175, 285},
                                              {1.00, 0.25, 0.110, 325}}};

double linear(int channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

int encoded(double channel) {
  const double c = std::clamp(channel, 0.0, 1.0);
  const double s = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
  return static_cast<int>(std::lround(255 * s));
}

}  // namespace

// Both matrices are those of Björn Ottosson's definition of OKLab (2020).
OkLab toOkLab(QRgb color) {
  const double r = linear(qRed(color)), g = linear(qGreen(color)), b = linear(qBlue(color));
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

QRgb toRgb(const OkLab& c) {
  const double l = std::pow(c.l + 0.3963377774 * c.a + 0.2158037573 * c.b, 3);
  const double m = std::pow(c.l - 0.1055613458 * c.a - 0.0638541728 * c.b, 3);
  const double s = std::pow(c.l - 0.0894841775 * c.a - 1.2914855480 * c.b, 3);
  return qRgb(encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
              encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
              encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s));
}

OkLab fromLch(double lightness, double chroma, double hue) {
  const double angle = hue * std::numbers::pi / 180;
  return {lightness, chroma * std::cos(angle), chroma * std::sin(angle)};
}

QRgb mixed(QRgb from, QRgb to, double share) {
  const OkLab a = toOkLab(from), b = toOkLab(to);
  return toRgb(
      {std::lerp(a.l, b.l, share), std::lerp(a.a, b.a, share), std::lerp(a.b, b.b, share)});
}

QRgb heatColor(Ground ground, double position) {
  const auto& stops = ground == Ground::kDark ? kDarkStops : kLightStops;
  const double at = std::clamp(position, 0.0, 1.0);
  std::size_t next = 1;
  while (next + 1 < stops.size() && stops[next].position < at) ++next;
  const Stop &a = stops[next - 1], &b = stops[next];
  const double share = (at - a.position) / (b.position - a.position);
  // Straight lines in OKLab, not around the hue circle: no detour through foreign hues.
  const OkLab from = fromLch(a.lightness, a.chroma, a.hue);
  const OkLab to = fromLch(b.lightness, b.chroma, b.hue);
  return toRgb({std::lerp(from.l, to.l, share), std::lerp(from.a, to.a, share),
                std::lerp(from.b, to.b, share)});
}

}  // namespace waferpair::view
