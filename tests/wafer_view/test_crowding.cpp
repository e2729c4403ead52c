// SPDX-License-Identifier: GPL-3.0-or-later
// Little room: no text runs into another or is cut, and what is said of a core does not cover it.
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <QtTest>

#include "tests/wafer_view/demo.h"
#include "tests/wafer_view/text_recorder.h"
#include "wafer_view/pe_tile.h"
#include "wafer_view/view_places.h"
#include "wafer_view/wafer_painter.h"
#include "wafer_view/wafer_panel.h"
#include "wafer_view/wafer_view.h"

using namespace waferpair;
using namespace waferpair::view;
using waferpair::view::test::TextRecorder;

namespace {

const QSize kSizes[] = {{170, 170}, {240, 170}, {320, 170}, {500, 170}, {170, 300},
                        {240, 300}, {320, 400}, {500, 400}, {170, 560}, {240, 560},
                        {320, 860}, {500, 860}, {170, 860}, {800, 300}, {1200, 780}};

void moveMouse(QWidget* widget, QPoint at) {
  QMouseEvent event(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                    Qt::NoModifier);
  QCoreApplication::sendEvent(widget, &event);
}

struct Shown {
  explicit Shown(QSize size) {
    panel.resize(size);
    panel.show();
    [[maybe_unused]] const bool exposed = QTest::qWaitForWindowExposed(&panel);
    panel.resize(size);
  }
  void load(const protocol::WaferLayout& layout) {
    panel.setLayout(layout);
    for (int n = 0; n < 5; ++n) panel.addFrame(demo::frame(layout, n));
    panel.setRates({1040.5, 14'865});
    // A layout inside a layout is told in the next round of events.
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
  }
  QString faults() {
    QCoreApplication::processEvents();
    TextRecorder recorder(panel.size());
    panel.render(&recorder);
    if (recorder.texts().empty()) return QStringLiteral("nothing is written");
    return recorder.faults().join(QLatin1Char('\n'));
  }
  WaferPanel panel;
};

}  // namespace

class TestCrowding : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void theRecorderSeesWhatRunsIntoWhat() {
    TextRecorder recorder({200, 100});
    QPainter p(&recorder);
    p.drawText(QPointF(10, 50), QStringLiteral("One"));
    p.drawText(QPointF(10, 80), QStringLiteral("Two"));
    p.end();
    QCOMPARE(recorder.texts().size(), std::size_t{2});
    QCOMPARE(recorder.faults().join(QLatin1Char('\n')), QString());
    p.begin(&recorder);
    p.drawText(QPointF(12, 52), QStringLiteral("Three"));
    p.drawText(QPointF(180, 20), QStringLiteral("Four of them"));
    p.end();
    QCOMPARE(recorder.faults().size(), 2);
    QVERIFY(recorder.faults()[0].contains(QLatin1String("\"Three\"")));
    QVERIFY(recorder.faults()[0].contains(QLatin1String("\"One\"")));
    QVERIFY(recorder.faults()[1].contains(QLatin1String("is cut")));
  }

  void noTextRunsIntoAnotherOrIsCut_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("shadow");
    QTest::addColumn<bool>("wave");
    for (const QSize size : kSizes)
      for (const bool shadow : {false, true})
        for (const bool wave : {false, true})
          QTest::addRow("%dx%d%s%s", size.width(), size.height(), shadow ? " shadow" : "",
                        wave ? " wave" : "")
              << size << shadow << wave;
  }
  void noTextRunsIntoAnotherOrIsCut() {
    QFETCH(QSize, size);
    QFETCH(bool, shadow);
    QFETCH(bool, wave);
    Shown shown(size);
    shown.load(shadow ? demo::shadowLayout() : demo::layout());
    shown.panel.resize(size);
    QCoreApplication::processEvents();
    QCOMPARE(shown.panel.size(), size);  // it never outgrows its dock
    if (wave) QTest::keyClick(shown.panel.view(), Qt::Key_W);
    QCOMPARE(shown.faults(), QString());
    moveMouse(shown.panel.view(), shown.panel.view()->mapRect().center());
    QTRY_VERIFY(!shown.panel.view()->readoutText().isEmpty());
    QCOMPARE(shown.faults(), QString());
    shown.panel.setPaused(true);
    QCOMPARE(shown.faults(), QString());
    for (int i = 0; i < kMetrics; ++i) {
      QTest::keyClick(shown.panel.view(), Qt::Key_M);
      QCOMPARE(shown.faults(), QString());
    }
    for (const auto* child : shown.panel.findChildren<QWidget*>())
      if (child->isVisible())
        QVERIFY2(
            shown.panel.rect().contains(QRect(child->mapTo(&shown.panel, QPoint()), child->size())),
            qPrintable(child->metaObject()->className() + QLatin1Char(' ') +
                       child->accessibleName()));
  }

  void aPesTextsKeepApart_data() {
    QTest::addColumn<int>("side");
    for (int side = 56; side <= 420; side += side < 260 ? 3 : 20) QTest::addRow("%d", side) << side;
  }
  void aPesTextsKeepApart() {
    QFETCH(int, side);
    Planes planes;
    const auto layout = demo::layout();
    planes.setLayout(layout);
    const WaferColors theme = waferColors(QPalette());
    for (const std::uint32_t share : {0u, 3u, 1000u}) {
      planes.setFrame(demo::evenFrame(layout, share));
      for (int metric = 0; metric <= kMetrics; ++metric) {
        if (metric < kMetrics) {
          planes.setMetric(static_cast<Metric>(metric));
        } else {
          planes.setShares(std::vector<float>(layout.regions.size(), 0.123f));
        }
        TextRecorder recorder({side, side});
        QPainter p(&recorder);
        drawPeTile(p, planes, 1, side, 0xff336699, theme, QFont());
        if (side >= WaferPainter::kCoordinateScale)
          drawPeName(p, {0, 0}, side, 4000, 4000, 0xff000000, QFont());
        p.end();
        QVERIFY(!recorder.texts().empty());
        QCOMPARE(recorder.faults().join(QLatin1Char('\n')), QString());
        planes.endShares();
      }
    }
  }

  // At the largest scale a whole PE is in view, however small the view is.
  void aPeNeverOutgrowsTheMap() {
    for (const QSize size : kSizes) {
      Shown shown(size);
      shown.load(demo::shadowLayout());
      WaferView* view = shown.panel.view();
      view->fitPe(300, 500);
      const QSize map = view->mapRect().size();
      QVERIFY2(view->pixelsPerCore() <= std::min(map.width(), map.height()),
               qPrintable(QStringLiteral("%1x%2").arg(size.width()).arg(size.height())));
    }
  }

  void partsNeverOverlapAndTheMapKeepsItsRoom() {
    for (int width = 1; width < 1000; width += 37)
      for (int height = 1; height < 900; height += 7)
        for (const bool wafers : {false, true}) {
          const ViewPlaces places = placesFor({width, height}, wafers);
          const QRect all(0, 0, width, height);
          const QRect parts[] = {places.header, places.wafers, places.map, places.readout,
                                 places.legend};
          qint64 area = 0;
          for (const QRect& one : parts) {
            if (one.isEmpty()) continue;
            QVERIFY(all.contains(one));
            area += qint64{one.width()} * one.height();
            for (const QRect& other : parts) QVERIFY(&one == &other || !one.intersects(other));
          }
          QCOMPARE(area, qint64{width} * height);
          if (height >= 110) QVERIFY(places.map.height() >= 40 && !places.readout.isEmpty());
          if (height >= 300) QVERIFY(places.map.height() >= 130);
        }
  }

  void theReadoutNeverCoversWhatItDescribes() {
    for (const QSize size : kSizes) {
      Shown shown(size);
      shown.load(demo::layout());
      WaferView* view = shown.panel.view();
      const QRect map = view->mapRect(), readout = view->readoutRect();
      QVERIFY(!readout.isEmpty());
      QVERIFY(!readout.intersects(map));
      // The fabric fits, is higher than wide, and stands in the middle.
      for (const double x : {-0.1, 0.0, 0.15})
        for (const double y : {-0.2, 0.0, 0.2}) {
          moveMouse(view, {5, 5});
          QTRY_VERIFY(view->readoutText().isEmpty());
          QTRY_VERIFY(!view->hasActiveTimer() || !view->isVisible());
          const QImage before = view->grab(map).toImage();
          const double span = std::min<double>(map.width(), map.height());
          const QPoint at = map.center() + QPointF(x * span, y * span).toPoint();
          moveMouse(view, at);
          QTRY_VERIFY(!view->readoutText().isEmpty());
          QCoreApplication::processEvents();
          const QImage after = view->grab(map).toImage();
          QCOMPARE(view->readoutRect(), readout);
          // Only an outline changes in the map: a few pixels of each hundred.
          qint64 changed = 0;
          for (int row = 0; row < after.height(); ++row)
            for (int column = 0; column < after.width(); ++column)
              changed += after.pixel(column, row) != before.pixel(column, row);
          QVERIFY2(changed <= 4 * (map.width() + map.height()),
                   qPrintable(QString::number(changed)));
        }
    }
  }

  void whatFindsNoRoomInTheToolBarIsInItsMenu() {
    Shown shown({170, 400});
    shown.load(demo::layout());
    auto* more = shown.panel.findChild<QToolButton*>(QStringLiteral("waferMore"));
    auto* fit = shown.panel.findChild<QToolButton*>(QStringLiteral("waferFit"));
    QVERIFY(more->isVisible() && !fit->isVisible());
    const double whole = shown.panel.view()->pixelsPerCore();
    shown.panel.view()->fitPe(300, 300);
    QVERIFY(shown.panel.view()->pixelsPerCore() > 2 * whole);
    QTimer::singleShot(0, this, [&] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      QVERIFY(menu);
      QStringList names;
      for (const QAction* action : menu->actions()) names << action->text();
      QCOMPARE(names, (QStringList{QStringLiteral("Zoom in"), QStringLiteral("Zoom out"),
                                   QStringLiteral("Show the whole wafer"),
                                   QStringLiteral("Show the model")}));
      for (int i = 0; i < 3; ++i) QTest::keyClick(menu, Qt::Key_Down);
      QTest::keyClick(menu, Qt::Key_Return);
    });
    more->setFocus();
    QTest::keyClick(more, Qt::Key_Space);
    QTRY_COMPARE(shown.panel.view()->pixelsPerCore(), whole);
    shown.panel.resize(400, 400);
    QCoreApplication::processEvents();
    QVERIFY(!more->isVisible() && fit->isVisible());
  }
};

QTEST_MAIN(TestCrowding)
#include "test_crowding.moc"
