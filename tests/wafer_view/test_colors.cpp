// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <array>
#include <cmath>

#include "wafer_view/color_map.h"
#include "wafer_view/theme.h"

using namespace waferpair::view;

namespace {

QPalette ground(QColor base, QColor text) {
  QPalette palette;
  palette.setColor(QPalette::Base, base);
  palette.setColor(QPalette::Text, text);
  return palette;
}
const QPalette kDark = ground(QColor(0x16, 0x19, 0x1d), QColor(0xdd, 0xe1, 0xe6));
const QPalette kLight = ground(Qt::white, QColor(0x20, 0x20, 0x20));

double distance(QRgb a, QRgb b) {
  const OkLab p = toOkLab(a), q = toOkLab(b);
  return std::hypot(p.l - q.l, p.a - q.a, p.b - q.b);
}

// The colors that eyes without long- or middle-wave cones see, after Machado, Oliveira and
// Fernandes (2009), severity 1, applied in linear light.
using Matrix = std::array<double, 9>;
constexpr Matrix kProtan = {0.152286, 1.052583,  -0.204868, 0.114503, 0.786281,
                            0.099216, -0.003882, -0.048116, 1.051998};
constexpr Matrix kDeutan = {0.367322, 0.860646,  -0.227968, 0.280085, 0.672501,
                            0.047413, -0.011820, 0.042940,  0.968881};

double linear(int channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double seenLuminance(QRgb color, const Matrix& m) {
  const double in[] = {linear(qRed(color)), linear(qGreen(color)), linear(qBlue(color))};
  const double weights[] = {0.2126, 0.7152, 0.0722};
  double sum = 0;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      sum += weights[row] * m[row * 3 + column] * in[column];
  return sum;
}

double contrast(QRgb a, QRgb b) {
  const auto luminance = [](QRgb c) {
    return 0.2126 * linear(qRed(c)) + 0.7152 * linear(qGreen(c)) + 0.0722 * linear(qBlue(c));
  };
  const double high = std::max(luminance(a), luminance(b)),
               low = std::min(luminance(a), luminance(b));
  return (high + 0.05) / (low + 0.05);
}

}  // namespace

class TestColors : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void okLabGoesThereAndBack() {
    for (int r = 0; r < 256; r += 51)
      for (int g = 0; g < 256; g += 51)
        for (int b = 0; b < 256; b += 51) QCOMPARE(toRgb(toOkLab(qRgb(r, g, b))), qRgb(r, g, b));
  }

  void heatIsOrderedByLightness() {
    for (const Ground g : {Ground::kDark, Ground::kLight}) {
      const double direction = g == Ground::kDark ? 1 : -1;
      for (int i = 0; i < 64; ++i) {
        const double here = toOkLab(heatColor(g, i / 64.0)).l;
        const double next = toOkLab(heatColor(g, (i + 1) / 64.0)).l;
        QVERIFY2(direction * (next - here) > 0.002, qPrintable(QString::number(i)));
      }
    }
  }

  void heatKeepsItsOrderForColorBlindEyes() {
    for (const Matrix& eyes : {kProtan, kDeutan})
      for (const Ground g : {Ground::kDark, Ground::kLight}) {
        const double direction = g == Ground::kDark ? 1 : -1;
        for (int i = 0; i < 32; ++i)
          QVERIFY(direction * (seenLuminance(heatColor(g, (i + 1) / 32.0), eyes) -
                               seenLuminance(heatColor(g, i / 32.0), eyes)) >
                  0);
      }
  }

  void unusedIdleAndBusyCoresDiffer() {
    for (const QPalette& palette : {kDark, kLight}) {
      const WaferColors theme = waferColors(palette);
      QVERIFY(distance(theme.levels[kUnusedLevel], theme.levels[kZeroLevel]) > 0.025);
      QVERIFY(distance(theme.levels[kZeroLevel], theme.levels[2]) > 0.04);
      QVERIFY(distance(theme.levels[kUnusedLevel], theme.backdrop) > 0.02);
      QVERIFY(distance(theme.levels[200], theme.idleLevels[200]) > 0.05);
    }
  }

  void groundFollowsThePalette() {
    QCOMPARE(waferColors(kDark).ground, Ground::kDark);
    QCOMPARE(waferColors(kLight).ground, Ground::kLight);
    QCOMPARE(waferColors(kDark).backdrop, kDark.color(QPalette::Base).rgb());
  }

  void textOnEveryLevelCanBeRead() {
    for (const QPalette& palette : {kDark, kLight}) {
      const WaferColors theme = waferColors(palette);
      for (const QRgb fill : theme.levels) QVERIFY(contrast(fill, textOn(fill)) > 4.0);
      QVERIFY(contrast(theme.backdrop, theme.text) > 7);
      QVERIFY(contrast(theme.backdrop, theme.dimText) > 4);
      QVERIFY(contrast(theme.backdrop, theme.hostSeries) > 3);
      QVERIFY(contrast(theme.backdrop, theme.waferSeries) > 3);
      QVERIFY(contrast(theme.badge, theme.badgeText) > 4.5);
    }
  }

  void sramKindsDifferInLightnessWhereTheyTouch() {
    for (const QPalette& palette : {kDark, kLight}) {
      const WaferColors theme = waferColors(palette);
      for (std::size_t kind = 1; kind < theme.sram.size(); ++kind)
        QVERIFY(std::abs(toOkLab(theme.sram[kind]).l - toOkLab(theme.sram[kind - 1]).l) > 0.04);
    }
  }

  void sheenOfSiliconStaysSlight() {
    for (const QPalette& palette : {kDark, kLight}) {
      const WaferColors theme = waferColors(palette);
      for (int row = 0; row < 7; ++row)
        for (int column = 0; column < 12; ++column)
          QVERIFY(distance(dieSilicon(theme, column, row, 12, 7), theme.silicon) < 0.05);
    }
  }
};

QTEST_GUILESS_MAIN(TestColors)
#include "test_colors.moc"
