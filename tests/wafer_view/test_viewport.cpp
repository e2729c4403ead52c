// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <random>

#include "wafer_view/axis_map.h"
#include "wafer_view/viewport.h"

using namespace waferpair::view;
using Motion = Viewport::Motion;

namespace {

double length(QPointF p) { return std::hypot(p.x(), p.y()); }

Viewport wafer(QSizeF size = {900, 700}) {
  Viewport view;
  view.setSize(size);
  view.setFabric({762, 1172});
  return view;
}

double real(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

}  // namespace

class TestViewport : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void aNewFabricIsSeenWhole() {
    for (const QSizeF size : {QSizeF(900, 700), QSizeF(320, 200), QSizeF(200, 1400)}) {
      const Viewport view = wafer(size);
      QVERIFY(view.visibleCores().contains(QRectF(0, 0, 762, 1172)));
      QVERIFY(view.isFitted());
      QVERIFY(length(view.toPixel({381, 586}) - QPointF(size.width() / 2, size.height() / 2)) <
              1e-6);
    }
  }

  void screenAndCoresConvertBothWays() {
    std::mt19937 random(1);
    Viewport view = wafer();
    for (int i = 0; i < 500; ++i) {
      view.zoomAt({real(random, 0, 900), real(random, 0, 700)}, real(random, 0.3, 4),
                  Motion::kAtOnce);
      const QPointF pixel(real(random, 0, 900), real(random, 0, 700));
      QVERIFY(length(view.toPixel(view.toCore(pixel)) - pixel) < 1e-6);
    }
  }

  void zoomKeepsTheCoreUnderTheCursor() {
    std::mt19937 random(2);
    Viewport view = wafer();
    view.fit(QRectF(300, 500, 100, 100), Motion::kAtOnce);  // far from the edges
    for (int i = 0; i < 50; ++i) {
      const QPointF at(real(random, 200, 700), real(random, 200, 500));
      const QPointF core = view.toCore(at);
      view.zoomAt(at, real(random, 0.9, 1.4), Motion::kAtOnce);
      QVERIFY(length(view.toCore(at) - core) < 1e-6);
      if (view.scale() > 40) view.fit(QRectF(300, 500, 100, 100), Motion::kAtOnce);
    }
  }

  void animatedZoomHoldsTheCoreStillAllTheWay() {
    Viewport view = wafer();
    view.fit(QRectF(300, 500, 100, 100), Motion::kAtOnce);
    const QPointF at(250, 420), core = view.toCore(at);
    view.zoomAt(at, 6, Motion::kAnimated);
    int steps = 0;
    while (view.advance(1.0 / 60)) {
      QVERIFY(length(view.toPixel(core) - at) < 0.01);
      ++steps;
    }
    QVERIFY2(steps > 10 && steps < 60, qPrintable(QString::number(steps)));
    QVERIFY(!view.isMoving());
    QCOMPARE(view.scale(), view.targetScale());
  }

  void wheelTurnsDuringAZoomAddUp() {
    Viewport view = wafer();
    const double before = view.targetScale();
    for (int i = 0; i < 4; ++i) {
      view.zoomAt({450, 350}, 1.5, Motion::kAnimated);
      view.advance(1.0 / 60);
    }
    QVERIFY(std::abs(view.targetScale() / before - std::pow(1.5, 4)) < 1e-9);
  }

  void scaleStaysWithinItsBounds() {
    std::mt19937 random(3);
    Viewport view = wafer();
    for (int i = 0; i < 400; ++i) {
      view.zoomAt({real(random, 0, 900), real(random, 0, 700)}, real(random, 0.01, 30),
                  Motion::kAtOnce);
      QVERIFY(view.scale() >= view.minimumScale() && view.scale() <= view.maximumScale());
    }
  }

  void theFabricNeverLeavesTheView() {
    std::mt19937 random(4);
    Viewport view = wafer();
    for (int i = 0; i < 2000; ++i) {
      if (i % 3 == 0)
        view.zoomAt({real(random, 0, 900), real(random, 0, 700)}, real(random, 0.4, 3),
                    Motion::kAtOnce);
      view.panBy({real(random, -900, 900), real(random, -900, 900)}, Motion::kAtOnce);
      const QRectF seen = view.visibleCores();
      const double margin = (Viewport::kPanMargin + 1e-6) / view.scale();
      if (762 * view.scale() > 900) {
        QVERIFY(seen.left() >= -margin && seen.right() <= 762 + margin);
      } else {
        QVERIFY(std::abs(seen.center().x() - 381) < 1e-6);
      }
      if (1172 * view.scale() > 700) {
        QVERIFY(seen.top() >= -margin && seen.bottom() <= 1172 + margin);
      } else {
        QVERIFY(std::abs(seen.center().y() - 586) < 1e-6);
      }
    }
  }

  void dragFollowsTheHand() {
    Viewport view = wafer();
    view.fit(QRectF(300, 500, 100, 100), Motion::kAtOnce);
    const QPointF core = view.toCore({400, 300});
    view.panBy({37, -12}, Motion::kAtOnce);
    QVERIFY(length(view.toPixel(core) - QPointF(437, 288)) < 1e-6);
  }

  void fitShowsAllOfARectangle() {
    Viewport view = wafer();
    const QRectF die(318, 502, 64, 168);
    view.fit(die, Motion::kAtOnce);
    QVERIFY(view.visibleCores().contains(die));
    QVERIFY(die.height() * view.scale() > 0.9 * 700);
    view.fit(QRectF(761, 1171, 1, 1), Motion::kAtOnce);
    QCOMPARE(view.scale(), view.maximumScale());
    QVERIFY(view.visibleCores().contains(QRectF(761, 1171, 1, 1)));
  }

  void resizingKeepsAWholeWaferWhole() {
    Viewport view = wafer();
    view.setSize({320, 500});
    QVERIFY(view.visibleCores().contains(QRectF(0, 0, 762, 1172)));
    view.fit(QRectF(300, 500, 50, 50), Motion::kAtOnce);
    const QPointF middle = view.targetCenter();
    view.setSize({600, 480});
    QVERIFY(length(view.targetCenter() - middle) < 1e-6);
  }

  void resizingKeepsAFittedRectangleFitted() {
    Viewport view = wafer({400, 600});
    const QRectF model(0, 0, 200, 40);
    view.fit(model, Motion::kAnimated);
    view.setSize({640, 300});
    QVERIFY(!view.isMoving());
    QVERIFY(view.visibleCores().contains(model));
    QVERIFY(view.visibleCores().width() < 1.2 * model.width());
    // A zoom of the user's ends that.
    view.zoomAt({320, 150}, 2, Motion::kAtOnce);
    const double scale = view.scale();
    view.setSize({400, 600});
    QCOMPARE(view.scale(), scale);
  }

  void oddSizesDoNoHarm() {
    for (const QSizeF size : {QSizeF(0, 0), QSizeF(1, 1), QSizeF(-5, 20), QSizeF(19, 5000)}) {
      Viewport view = wafer(size);
      view.zoomAt({0, 0}, 1e9, Motion::kAtOnce);
      view.zoomAt({0, 0}, 1e-9, Motion::kAtOnce);
      view.fit(QRectF(0, 0, 0, 0), Motion::kAtOnce);
      QVERIFY(std::isfinite(view.scale()) && view.scale() > 0);
      QVERIFY(std::isfinite(view.toCore({3, 4}).x()));
    }
  }

  // Zoomed out, each core belongs to exactly one pixel; zoomed in, each pixel to one core.
  void pixelsCoverCoresWithoutGapsOrOverlap() {
    std::mt19937 random(5);
    for (int round = 0; round < 300; ++round) {
      const int pixels = 1 + static_cast<int>(random() % 900);
      const int cores = 1 + static_cast<int>(random() % 1200);
      const double coresPerPixel = std::exp(real(random, std::log(0.003), std::log(40)));
      const double origin = real(random, -0.4 * pixels * coresPerPixel, cores);
      AxisMap map;
      map.build(pixels, origin, coresPerPixel, cores);
      for (int i = map.begin; i < map.end; ++i) {
        QVERIFY(map.first[i] >= 0 && map.last[i] <= cores && map.first[i] < map.last[i]);
        if (i + 1 == map.end) continue;
        if (coresPerPixel >= 1) QCOMPARE(map.first[i + 1], map.last[i]);
        if (coresPerPixel <= 1) {
          QCOMPARE(map.last[i], map.first[i] + 1);
          QVERIFY(map.first[i + 1] - map.first[i] <= 1);
        }
      }
      for (int core = 0; core < cores && map.begin < map.end; core += 1 + cores / 40) {
        const int pixel = map.pixelOf(core);
        QVERIFY(pixel >= map.begin && pixel <= map.end);
        if (pixel > map.begin) QVERIFY(map.last[pixel - 1] <= core);
        if (pixel < map.end) QVERIFY(map.last[pixel] > core);
      }
    }
  }

  void aFabricOffTheScreenCoversNoPixels() {
    AxisMap map;
    map.build(100, 50, 0.1, 40);
    QCOMPARE(map.begin, map.end);
    map.build(100, -500, 1, 40);
    QCOMPARE(map.begin, map.end);
  }
};

QTEST_GUILESS_MAIN(TestViewport)
#include "test_viewport.moc"
