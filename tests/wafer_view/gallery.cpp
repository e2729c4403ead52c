// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the view and the panel over demo data, for looking at: `wafer_gallery FOLDER`, with
// QT_SCALE_FACTOR=2 as on a dense screen.
#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QStyleFactory>
#include <QtTest>
#include <cstdio>
#include <functional>

#include "tests/wafer_view/demo.h"
#include "wafer_view/strip_chart.h"
#include "wafer_view/wafer_panel.h"
#include "wafer_view/wafer_view.h"

using namespace waferpair::view;

namespace {

QPalette palette(bool dark) {
  QPalette p;
  if (!dark) {
    p = QPalette(QColor(0xf0, 0xf1, 0xf3));
    p.setColor(QPalette::Base, Qt::white);
    p.setColor(QPalette::Highlight, QColor(0x2f, 0x6f, 0xdf));
    return p;
  }
  p = QPalette(QColor(0x25, 0x28, 0x2d));
  p.setColor(QPalette::Window, QColor(0x21, 0x24, 0x29));
  p.setColor(QPalette::Base, QColor(0x16, 0x19, 0x1d));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    p.setColor(role, QColor(0xdd, 0xe1, 0xe6));
  p.setColor(QPalette::Highlight, QColor(0x4f, 0x8e, 0xf7));
  return p;
}

void play(WaferPanel& panel, int from, int frames) {
  const auto& layout = panel.view()->waferLayout();
  for (int n = from; n < from + frames; ++n) panel.addFrame(demo::frame(layout, n));
  QTest::qWait(60);
}

void hover(WaferView* view, QPoint at) {
  QTest::mouseMove(view, at);
  QTest::qWait(80);
}

// The panel in docks that leave it little room, each in the states that need most of it.
void smallDocks(const QString& ground, const std::function<void(QWidget&, const QString&)>& save) {
  for (const QSize size :
       {QSize(170, 170), QSize(240, 170), QSize(320, 170), QSize(500, 170), QSize(170, 420),
        QSize(240, 420), QSize(320, 560), QSize(500, 560), QSize(170, 860)}) {
    const QString name =
        ground + QStringLiteral("small-%1x%2-").arg(size.width()).arg(size.height());
    WaferPanel panel;
    panel.resize(size);
    panel.show();
    panel.setLayout(demo::layout());
    play(panel, 0, 200);
    WaferView* view = panel.view();
    hover(view, view->mapRect().center());
    save(panel, name + QStringLiteral("1-hover"));
    view->fitPe(381, 586);
    QTest::qWait(700);
    play(panel, 200, 4);
    save(panel, name + QStringLiteral("2-pe"));
    view->fitWafer();
    panel.setLayout(demo::shadowLayout());
    play(panel, 210, 30);
    view->setWave(true);
    play(panel, 240, 1);
    QTest::qWait(400);
    panel.setPaused(true);
    hover(view, view->mapRect().center() + QPoint(3, 3));
    save(panel, name + QStringLiteral("3-shadow-wave"));
  }
}

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  QFont font(QStringLiteral("Inter"));
  font.setPixelSize(13);
  QApplication::setFont(font);
  const QDir folder(argc > 1 ? QString::fromLocal8Bit(argv[1]) : QDir::tempPath());
  folder.mkpath(QStringLiteral("."));
  const auto save = [&](QWidget& widget, const QString& name) {
    if (!widget.grab().save(folder.filePath(name + QStringLiteral(".png"))))
      std::fprintf(stderr, "cannot write %s\n", qPrintable(name));
  };
  for (const bool dark : {true, false}) {
    QApplication::setPalette(palette(dark));
    const QString ground = dark ? QStringLiteral("dark-") : QStringLiteral("light-");
    smallDocks(ground, save);
    for (const QSize size : {QSize(320, 860), QSize(1200, 780)}) {
      const QString name = ground + QString::number(size.width()) + QLatin1Char('-');
      WaferPanel panel;
      panel.setConnectionState(QStringLiteral("Connecting to the runtime"));
      panel.resize(size);
      panel.show();
      QTest::qWait(30);
      save(panel, name + QStringLiteral("0-empty"));
      panel.setLayout(demo::layout());
      play(panel, 0, 500);
      WaferView* view = panel.view();
      save(panel, name + QStringLiteral("1-wafer"));
      view->setShowsDefects(true);
      save(panel, name + QStringLiteral("1-defects"));
      view->setShowsDefects(false);
      hover(view, QPoint(view->width() / 2, view->height() / 2));
      save(panel, name + QStringLiteral("2-hover"));
      view->fitDie(5, 3);
      QTest::qWait(700);
      play(panel, 530, 4);
      save(panel, name + QStringLiteral("3-die"));
      hover(view, QPoint(view->width() / 2, view->height() - 1));
      for (const int scale : {30, 75, 160}) {
        view->fitPe(381, 586);
        QTest::qWait(700);
        while (view->pixelsPerCore() > scale) view->zoomOut();
        QTest::qWait(700);
        play(panel, 540 + scale, 4);
        save(panel, name + QStringLiteral("4-cores-%1").arg(scale));
      }
      view->fitPe(381, 586);
      QTest::qWait(700);
      play(panel, 700, 4);
      save(panel, name + QStringLiteral("5-pe"));
      view->fitWafer();
      view->setMetric(Metric::kSramUsed);
      QTest::qWait(700);
      play(panel, 720, 4);
      save(panel, name + QStringLiteral("6-sram"));
      view->setMetric(Metric::kUtilization);
      view->setWave(true);
      play(panel, 740, 1);
      QTest::qWait(600);
      save(panel, name + QStringLiteral("7-wave"));
      view->setWave(false);
      QTest::qWait(1500);
      save(panel, name + QStringLiteral("8-idle"));
      panel.setLayout(demo::smallLayout());
      play(panel, 760, 200);
      save(panel, name + QStringLiteral("8-small"));
      view->fitModel();
      QTest::qWait(600);
      play(panel, 960, 4);
      save(panel, name + QStringLiteral("8-small-model"));
      panel.setLayout(demo::shadowLayout());
      play(panel, 970, 200);
      view->setWafer(1);
      play(panel, 1170, 4);
      hover(view, QPoint(view->width() / 2, view->height() / 2));
      save(panel, name + QStringLiteral("8-shadow"));
      view->setWave(true);
      play(panel, 1180, 1);
      QTest::qWait(900);
      save(panel, name + QStringLiteral("8-shadow-wave"));
      view->setWave(false);
      panel.setPaused(true);
      QTest::qWait(50);
      save(panel, name + QStringLiteral("9-paused"));
    }
  }
  return 0;
}
