// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <random>

#include "tests/wafer_view/demo.h"
#include "wafer_view/wafer_painter.h"

using namespace waferpair;
using namespace waferpair::view;
using Motion = Viewport::Motion;

namespace {

QPalette darkPalette() {
  QPalette palette;
  palette.setColor(QPalette::Base, QColor(0x16, 0x19, 0x1d));
  palette.setColor(QPalette::Text, QColor(0xdd, 0xe1, 0xe6));
  return palette;
}

struct Scene {
  explicit Scene(const protocol::WaferLayout& layout, QSizeF size, double ratio = 1)
      : theme(waferColors(darkPalette())), ratio(ratio) {
    planes.setLayout(layout);
    view.setSize(size);
    view.setFabric(QSizeF(planes.width(), planes.height()));
    painter.setTheme(theme);
  }

  const QImage& draw() {
    painter.setView(view, ratio);
    painter.render(planes, planes.takeDirty());
    return painter.image();
  }
  // Tells the painter of changes of the planes alone.
  const QImage& drawChanges() {
    changed = painter.render(planes, planes.takeDirty());
    return painter.image();
  }
  QRgb at(int x, int y) {  // the pixel in the middle of a core
    const QPointF p = view.toPixel(QPointF(x + 0.5, y + 0.5)) * ratio;
    return painter.image().pixel(static_cast<int>(p.x()), static_cast<int>(p.y()));
  }

  WaferColors theme;
  double ratio;
  Planes planes;
  Viewport view;
  WaferPainter painter;
  QRect changed;
};

double distance(QRgb a, QRgb b) {
  const OkLab p = toOkLab(a), q = toOkLab(b);
  return std::hypot(p.l - q.l, p.a - q.a, p.b - q.b);
}

double mostDifferent(const QImage& a, const QImage& b) {
  double most = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      if (a.pixel(x, y) != b.pixel(x, y))
        most = std::max(most, distance(a.pixel(x, y), b.pixel(x, y)));
  return most;
}

}  // namespace

class TestWaferPainter : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void aSingleHotCoreIsSeenAtAnyZoomOut() {
    std::mt19937 random(11);
    std::vector<protocol::Rect> places = {{0, 0, 1, 1},     {761, 1171, 1, 1}, {761, 0, 1, 1},
                                          {0, 1171, 1, 1},  {63, 167, 1, 1},   {64, 168, 1, 1},
                                          {127, 335, 1, 1}, {381, 586, 1, 1}};
    for (int i = 0; i < 24; ++i)
      places.push_back({static_cast<int>(random() % 762), static_cast<int>(random() % 1172), 1, 1});
    int index = 0;
    for (const protocol::Rect& place : places) {
      const QSizeF size(40 + random() % 500, 40 + random() % 500);
      const auto layout = demo::layoutOf({place});
      Scene hot(layout, size, index % 4 == 3 ? 1.5 : 1), dark(demo::layoutOf({}), size, hot.ratio);
      hot.planes.setFrame(demo::evenFrame(layout, 1000));
      QVERIFY2(mostDifferent(hot.draw(), dark.draw()) > 0.12, qPrintable(QString::number(index)));
      // And on the way in, as long as the core is within the view.
      for (int step = 0; step < 6; ++step) {
        const QPointF pixel = hot.view.toPixel(QPointF(place.x + 0.5, place.y + 0.5));
        for (Scene* scene : {&hot, &dark}) scene->view.zoomAt(pixel, 1.7, Motion::kAtOnce);
        QVERIFY(mostDifferent(hot.draw(), dark.draw()) > 0.12);
      }
      ++index;
    }
  }

  void eachCoreHasItsColorWhenDrawnLarge() {
    const auto layout = demo::layoutOf({{380, 585, 2, 2}, {382, 585, 1, 2}});
    Scene scene(layout, {400, 400});
    auto frame = demo::evenFrame(layout, 1000);
    frame.regions[1].computeCycles = 10;
    scene.planes.setFrame(frame);
    scene.view.fit(QRectF(376, 581, 10, 10), Motion::kAtOnce);
    scene.draw();
    const Scale scale = metricScale(Metric::kUtilization, layout.sramPerPe);
    QCOMPARE(scene.at(380, 585), scene.theme.levels[255]);
    QCOMPARE(scene.at(381, 586), scene.theme.levels[255]);
    QCOMPARE(scene.at(382, 586), scene.theme.levels[scale.level(0.01)]);
    QCOMPARE(scene.at(383, 586), dieSilicon(scene.theme, 6, 3, 12, 7));
    QCOMPARE(scene.at(379, 585), dieSilicon(scene.theme, 5, 3, 12, 7));
  }

  void regionsWithNothingToDoAreToldFromUnusedCores() {
    const auto layout = demo::layoutOf({{100, 100, 40, 40}});
    Scene scene(layout, {500, 700});
    scene.view.fit(QRectF(90, 90, 100, 100), Motion::kAtOnce);
    scene.draw();
    QCOMPARE(scene.at(110, 120), scene.theme.levels[kZeroLevel]);
    QVERIFY(distance(scene.at(110, 120), scene.at(170, 120)) > 0.02);
  }

  void linesRunBetweenDies() {
    Scene scene(demo::layoutOf({}), {900, 700});
    const QImage& image = scene.draw();
    const QRect die = scene.planes.dieRect(5, 3);
    const int y = static_cast<int>(scene.view.toPixel(QPointF(0, die.center().y())).y());
    int lines = 0;
    for (int x = 0; x < image.width(); ++x) {
      // A line is darker than what is on both sides of it.
      const auto lightness = [&](int at) { return toOkLab(image.pixel(at, y)).l; };
      if (x > 0 && x + 1 < image.width() && lightness(x) + 0.01 < lightness(x - 1) &&
          lightness(x) + 0.01 < lightness(x + 1))
        ++lines;
    }
    QCOMPARE(lines, 11);  // between twelve columns of dies
  }

  void gapsBetweenCoresAppearOnlyWhenDrawnLarge() {
    const auto layout = demo::layoutOf({{0, 0, 762, 1172}});
    Scene scene(layout, {600, 600});
    scene.planes.setFrame(demo::evenFrame(layout, 1000));
    const auto gapPixels = [&](double scale) {
      scene.view.fit(QRectF(330, 540, 600 / scale, 600 / scale), Motion::kAtOnce);
      const QImage& image = scene.draw();
      int count = 0;
      for (int x = 0; x < image.width(); ++x) count += image.pixel(x, 301) == scene.theme.gap;
      return count;
    };
    QVERIFY(gapPixels(16) <= 4);
    QVERIFY(gapPixels(30) >= 18);
  }

  // A picture drawn piecewise, as frames come in, equals a fresh one.
  void changesAloneGiveTheSamePictureAsAllAnew() {
    const auto layout = demo::layout();
    std::mt19937 random(12);
    for (const double ratio : {1.0, 2.0}) {
      for (const QRectF& seen : {QRectF(), QRectF(300, 500, 120, 100), QRectF(250, 380, 30, 30),
                                 QRectF(366, 580, 8, 6), QRectF(366, 580, 2, 2)}) {
        Scene piecewise(layout, {340, 300}, ratio), anew(layout, {340, 300}, ratio);
        for (Scene* scene : {&piecewise, &anew})
          if (!seen.isNull()) scene->view.fit(seen, Motion::kAtOnce);
        piecewise.draw();
        for (int round = 0; round < 8; ++round) {
          std::vector<float> shares(layout.regions.size(), 0.0f);
          for (int i = 0; i < 3; ++i)
            shares[random() % shares.size()] = static_cast<float>(random() % 100) / 100;
          for (Scene* scene : {&piecewise, &anew}) scene->planes.setShares(shares);
          const QImage before = piecewise.painter.image().copy();
          piecewise.drawChanges();
          QCOMPARE(piecewise.painter.image(), anew.draw());
          // Nothing changes outside of what render() said.
          const QRect told(piecewise.changed.topLeft() * ratio, piecewise.changed.size() * ratio);
          for (int y = 0; y < before.height(); y += 3)
            for (int x = 0; x < before.width(); x += 3)
              if (!told.contains(x, y))
                QCOMPARE(piecewise.painter.image().pixel(x, y), before.pixel(x, y));
        }
      }
    }
  }

  void nothingChangedDrawsNothing() {
    Scene scene(demo::layout(), {300, 300});
    scene.draw();
    scene.drawChanges();
    QVERIFY(scene.changed.isEmpty());
  }

  void oneRegionChangesOnlyItsPartOfThePicture() {
    const auto layout = demo::layout();
    Scene scene(layout, {900, 700});
    scene.draw();
    std::vector<float> shares(layout.regions.size(), 0.0f);
    scene.planes.setShares(shares);
    scene.drawChanges();
    shares[3] = 1;
    scene.planes.setShares(shares);
    scene.drawChanges();
    QVERIFY(scene.changed.width() < 130 && scene.changed.height() < 140);
  }

  void regionNamesAreWrittenWhereThereIsRoom() {
    const auto layout = demo::layoutOf({{100, 100, 300, 300}});
    auto nameless = layout;
    nameless.regions[0].name.clear();
    Scene named(layout, {500, 700}), plain(nameless, {500, 700});
    QVERIFY(mostDifferent(named.draw(), plain.draw()) > 0.3);
    const auto tiny = demo::layoutOf({{100, 100, 20, 20}});
    auto tinyNameless = tiny;
    tinyNameless.regions[0].name.clear();
    Scene small(tiny, {500, 700}), smallPlain(tinyNameless, {500, 700});
    QCOMPARE(mostDifferent(small.draw(), smallPlain.draw()), 0.0);
  }

  void aPeDrawnLargeShowsItsSramByKind() {
    const auto layout = demo::layout();
    Scene scene(layout, {500, 500});
    scene.planes.setFrame(demo::frame(layout, 1));
    for (const double side : {70.0, 150.0, 400.0}) {
      scene.view.fit(QRectF(381.5 - 250 / side, 586.5 - 250 / side, 500 / side, 500 / side),
                     Motion::kAtOnce);
      const QImage& image = scene.draw();
      std::array<int, protocol::kSramKinds> found{};
      for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
          for (int kind = 0; kind < protocol::kSramKinds; ++kind)
            found[kind] += image.pixel(x, y) == scene.theme.sram[kind];
      for (int kind = 0; kind < protocol::kSramKinds; ++kind)
        QVERIFY2(found[kind] > 0, qPrintable(QStringLiteral("%1 at %2").arg(kind).arg(side)));
      // Weights take the most bytes, so the most of the bar.
      QVERIFY(found[1] > found[0] && found[1] > found[2] && found[2] > found[3]);
    }
  }

  void idlePicturesAreFaded() {
    const auto layout = demo::layoutOf({{300, 500, 200, 200}});
    Scene scene(layout, {300, 400});
    scene.planes.setFrame(demo::evenFrame(layout, 1000));
    scene.view.fit(QRectF(350, 550, 40, 50), Motion::kAtOnce);
    scene.draw();
    QCOMPARE(scene.at(372, 580), scene.theme.levels[255]);
    scene.painter.setIdle(true);
    scene.drawChanges();
    QCOMPARE(scene.at(372, 580), scene.theme.idleLevels[255]);
  }

  void theImageHasTheDevicesPixels() {
    Scene scene(demo::layout(), {300, 200}, 2);
    QCOMPARE(scene.draw().size(), QSize(600, 400));
    QCOMPARE(scene.painter.image().devicePixelRatio(), 2.0);
  }

  void withoutAWaferOnlyTheBackdropIsDrawn() {
    Scene scene(demo::layoutOf({}), {120, 80});
    scene.planes.clear();
    const QImage& image = scene.draw();
    for (int y = 0; y < 80; ++y)
      for (int x = 0; x < 120; ++x) QCOMPARE(image.pixel(x, y), scene.theme.backdrop);
  }

  void smallAndOddFabricsAreDrawn() {
    for (const QSize fabric : {QSize(1, 1), QSize(3, 500), QSize(4096, 2), QSize(64, 64)}) {
      auto layout = demo::layoutOf({{0, 0, fabric.width(), fabric.height()}});
      layout.fabricWidth = fabric.width();
      layout.fabricHeight = fabric.height();
      for (const QSizeF size : {QSizeF(1, 1), QSizeF(30, 900), QSizeF(500, 40)}) {
        Scene scene(layout, size);
        scene.planes.setFrame(demo::evenFrame(layout, 1000));
        scene.draw();
        scene.view.fit(QRectF(0, 0, 1, 1), Motion::kAtOnce);
        scene.draw();
      }
    }
  }
};

QTEST_MAIN(TestWaferPainter)
#include "test_wafer_painter.moc"
